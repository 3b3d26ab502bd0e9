import type { TesterLimit } from '../model/run';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerEffects';
import { busyForViewers } from './busyHosts';
import { busyForThreshold } from './busyThresholds';
import type { Finding, Judged, Influence, StopReached } from '../evidence/evidence';

/** The plan's stop condition that ended the run, as a finding. */
export function judgeStopCondition(
  judged: Judged,
  reached: StopReached | undefined,
  limits: readonly TesterLimit[],
): Finding[] {
  if (!reached) return [];
  const { isOfViewers = false, limit: _, value: __, ...finding } = reached;
  const { timeMs } = reached;
  const isInvalidated = isOfViewers && judged.testers.some(({ id }) => isLimited(limits, id, timeMs, timeMs));
  const invalidatedBy = [...busyAt(judged, reached), ...(isInvalidated ? firstOfEach(limits) : [])];
  return [{ result: 'failed', ...finding, ...(invalidatedBy.length > 0 ? { invalidatedBy } : {}) }];
}

/** The busy machine that caused the condition. */
function busyAt(judged: Judged, reached: StopReached): readonly Influence[] {
  const { timeMs, limit, value, isOfViewers, expectation, series, node: name } = reached;
  if (isOfViewers) return busyForViewers(judged, timeMs - (limit?.forMs ?? 0), timeMs);
  const node = judged.view.nodes.find(({ id }) => id === name);
  const what = expectation === 'cpu' ? 'cpuPercent' : series;
  if (!node || !limit || value === undefined || what === undefined) return [];
  const { comparison } = limit;
  return busyForThreshold(judged, { series: what, comparison, value: limit.value }, node, [{ timeMs, value }], 1);
}
