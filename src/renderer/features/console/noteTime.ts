import type { RunView } from '../../../domain/model/run';

/** Run time of a note taken now, ms; at the end of a run whose verdict is pending. */
export function noteTime({ startedMs, endedMs }: RunView, nowMs: number): number {
  return Math.min(nowMs, endedMs ?? nowMs) - startedMs;
}
