import type { EarlyEnd } from '../../domain/run';
import type { StopReached } from '../../domain/verdict/judged';

/** What ended a run before its plan's own end: the first of all that could have. */
export function firstEnd(of: {
  readonly startedMs: number;
  /** Why it could not be started. */
  readonly failure: string | undefined;
  readonly stoppedMs: number | undefined;
  readonly stopCondition: StopReached | undefined;
  readonly noViewersMs: number | undefined;
}): EarlyEnd | undefined {
  const { startedMs, failure, stoppedMs, stopCondition, noViewersMs } = of;
  const ends: EarlyEnd[] = [];
  if (failure !== undefined) ends.push({ kind: 'not-started', timeMs: startedMs, sentence: failure });
  if (stoppedMs !== undefined) ends.push({ kind: 'person', timeMs: stoppedMs });
  if (stopCondition) {
    const { timeMs, sentence } = stopCondition;
    ends.push({ kind: 'stop-condition', timeMs, sentence });
  }
  if (noViewersMs !== undefined) ends.push({ kind: 'no-viewers', timeMs: noViewersMs });
  return ends.sort((a, b) => a.timeMs - b.timeMs)[0];
}
