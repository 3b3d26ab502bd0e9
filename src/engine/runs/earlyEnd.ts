import type { EarlyEnd } from '../../domain/model/run';
import type { StopReached } from '../../domain/evidence/evidence';

/** What ended a run before its planned end: the first of several possible causes. */
export function firstEnd(of: {
  readonly startedMs: number;
  /** Why it could not be started. */
  readonly failure: string | undefined;
  readonly stoppedMs: number | undefined;
  readonly stopReached: StopReached | undefined;
  readonly noViewersMs: number | undefined;
}): EarlyEnd | undefined {
  const { startedMs, failure, stoppedMs, stopReached, noViewersMs } = of;
  const ends: EarlyEnd[] = [];
  if (failure !== undefined) ends.push({ kind: 'not-started', timeMs: startedMs, sentence: failure });
  if (stoppedMs !== undefined) ends.push({ kind: 'user', timeMs: stoppedMs });
  if (stopReached) {
    const { timeMs, sentence } = stopReached;
    ends.push({ kind: 'stop-condition', timeMs, sentence });
  }
  if (noViewersMs !== undefined) ends.push({ kind: 'no-viewers', timeMs: noViewersMs });
  return ends.sort((a, b) => a.timeMs - b.timeMs)[0];
}
