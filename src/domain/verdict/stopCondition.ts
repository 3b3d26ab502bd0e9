import type { TesterLimit } from '../run';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerSpoilers';
import { busyForViewers } from './busyHosts';
import { busyForThreshold } from './busyThresholds';
import type { Finding, Judged, Spoiler, StopReached } from './judged';

/** The plan's stop condition that ended the run, as a finding: the plan has named what must not happen, and it did. */
export function judgeStopCondition(
  judged: Judged,
  reached: StopReached | undefined,
  limits: readonly TesterLimit[],
): Finding[] {
  if (!reached) return [];
  const { isOfViewers = false, limit: _, value: __, ...finding } = reached;
  const { timeMs } = reached;
  const isSpoilt = isOfViewers && judged.testers.some(({ id }) => isLimited(limits, id, timeMs, timeMs));
  const spoiltBy = [...busyAt(judged, reached), ...(isSpoilt ? firstOfEach(limits) : [])];
  return [{ result: 'failed', ...finding, ...(spoiltBy.length > 0 ? { spoiltBy } : {}) }];
}

/** The busy machine that the condition was reached because of. */
function busyAt(judged: Judged, reached: StopReached): readonly Spoiler[] {
  const { timeMs, limit, value, isOfViewers, expectation, series, node: name } = reached;
  if (isOfViewers) return busyForViewers(judged, timeMs - (limit?.forMs ?? 0), timeMs);
  const node = judged.view.nodes.find(({ id }) => id === name);
  const what = expectation === 'cpu' ? 'cpuPercent' : series;
  if (!node || !limit || value === undefined || what === undefined) return [];
  const { comparison } = limit;
  return busyForThreshold(
    judged,
    { series: what, comparison, value: limit.value },
    node,
    [{ timeMs, value }],
    1,
  );
}
