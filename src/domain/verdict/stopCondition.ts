import type { TesterLimit } from '../model/run';
import { influencesOfViewers } from './busyHosts';
import { busyForMiss } from './busyThresholds';
import type { Finding, Judged, Influence, StopReached } from '../evidence/evidence';

/** The plan's stop condition that ended the run, as a finding. */
export function judgeStopCondition(
  judged: Judged,
  reached: StopReached | undefined,
  limits: readonly TesterLimit[],
): Finding[] {
  if (!reached) return [];
  const { isOfViewers = false, limit, value: _, ...finding } = reached;
  const { timeMs } = reached;
  const invalidatedBy = isOfViewers
    ? judged.testers.flatMap(({ id }) => influencesOfViewers(judged, id, timeMs - (limit?.forMs ?? 0), timeMs, limits))
    : busyAt(judged, reached);
  return [{ result: 'failed', ...finding, ...(invalidatedBy.length > 0 ? { invalidatedBy } : {}) }];
}

/** The busy machine that caused the condition. */
function busyAt(judged: Judged, reached: StopReached): readonly Influence[] {
  const { timeMs, limit, value, expectation, series, node: name } = reached;
  const node = judged.view.nodes.find(({ id }) => id === name);
  const what = expectation === 'cpu' ? 'cpuPercent' : series;
  if (!node || !limit || value === undefined || what === undefined) return [];
  const { comparison } = limit;
  const busy = busyForMiss(judged, { series: what, comparison, value: limit.value }, node, { timeMs, value });
  return busy ? [busy] : [];
}
