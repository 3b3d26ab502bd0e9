import type { RunEvent } from '../model/run';

/** Events in order of time: some are recorded later than others that happened after them. */
export function inOrderOfTime(events: readonly RunEvent[]): RunEvent[] {
  return [...events].sort((a, b) => a.timeMs - b.timeMs || a.id - b.id);
}
