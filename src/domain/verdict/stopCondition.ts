import type { TesterLimit } from '../run';
import { isLimited } from '../tester/testerLimit';
import { firstOfEach } from '../tester/testerSpoilers';
import type { Finding, Judged, StopReached } from './judged';

/** The plan's stop condition that ended the run, as a finding: the plan has named what must not happen, and it did. */
export function judgeStopCondition(
  { testers }: Judged,
  reached: StopReached | undefined,
  limits: readonly TesterLimit[],
): Finding[] {
  if (!reached) return [];
  const { isOfViewers = false, ...finding } = reached;
  const { timeMs } = reached;
  const isSpoilt = isOfViewers && testers.some(({ id }) => isLimited(limits, id, timeMs, timeMs));
  return [{ result: 'failed', ...finding, ...(isSpoilt ? { spoiltBy: firstOfEach(limits) } : {}) }];
}
