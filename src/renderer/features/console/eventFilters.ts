import type { EventKind, RunEvent } from '../../../domain/model/run';

export type EventFilter = 'all' | 'phases' | 'thresholds' | 'nodes' | 'player' | 'failures' | 'notes';

const kinds: Readonly<Record<Exclude<EventFilter, 'all'>, readonly EventKind[]>> = {
  phases: ['run', 'phase'],
  thresholds: ['threshold', 'disagreement'],
  nodes: ['node', 'stream'],
  player: ['player'],
  failures: ['failure'],
  notes: ['note'],
};

const titles: Readonly<Record<EventFilter, string>> = {
  all: 'All',
  phases: 'Phases',
  thresholds: 'Thresholds',
  nodes: 'Nodes',
  player: 'Player',
  failures: 'Failures',
  notes: 'Notes',
};

function passes(event: RunEvent, filter: EventFilter): boolean {
  return filter === 'all' || kinds[filter].includes(event.kind);
}

/** Filters with matches, and their row counts. */
export function filtersOf(
  events: readonly RunEvent[],
): readonly { filter: EventFilter; text: string; count: number }[] {
  return (Object.keys(titles) as EventFilter[])
    .map((filter) => ({
      filter,
      text: titles[filter],
      count: events.filter((event) => passes(event, filter)).length,
    }))
    .filter(({ filter, count }) => filter === 'all' || count > 0);
}

/** Newest first. */
export function filterEvents(events: readonly RunEvent[], filter: EventFilter): readonly RunEvent[] {
  return events.filter((event) => passes(event, filter)).sort((a, b) => b.timeMs - a.timeMs || b.id - a.id);
}

/** The event closest to a timestamp; the later of two equally close ones. */
export function closestEvent(events: readonly RunEvent[], timeMs: number | undefined): RunEvent | undefined {
  if (timeMs === undefined) return undefined;
  let nearest: RunEvent | undefined;
  for (const event of events)
    if (!nearest || Math.abs(event.timeMs - timeMs) < Math.abs(nearest.timeMs - timeMs)) nearest = event;
  return nearest;
}
