import type { RunView } from '../../domain/run';

/** How far into a run a note of now belongs, ms; one that has ended and is still being judged is noted at its end. */
export function noteMoment({ startedMs, endedMs }: RunView, nowMs: number): number {
  return Math.min(nowMs, endedMs ?? nowMs) - startedMs;
}
