import { describe, expect, it } from 'vitest';
import type { EventKind, RunEvent } from '../../../domain/model/run';
import { filterEvents, filtersOf, closestEvent } from './eventFilters';

function event(id: number, timeMs: number, kind: EventKind): RunEvent {
  return { id, timeMs, kind, mark: 'none', who: 'run', sentence: `event ${id}` };
}

const events = [event(1, 0, 'run'), event(2, 1000, 'threshold'), event(3, 1000, 'note'), event(4, 5000, 'phase')];

describe('event log', () => {
  it('offers only filters with matches', () => {
    expect(filtersOf(events).map(({ text, count }) => `${text} ${count}`)).toEqual([
      'All 4',
      'Phases 2',
      'Thresholds 1',
      'Notes 1',
    ]);
    expect(filtersOf([])).toHaveLength(1);
  });

  it('lists newest first, also within one timestamp', () => {
    expect(filterEvents(events, 'all').map(({ id }) => id)).toEqual([4, 3, 2, 1]);
    expect(filterEvents(events, 'phases').map(({ id }) => id)).toEqual([4, 1]);
  });

  it('highlights the row closest to the crosshair', () => {
    expect(closestEvent(events, 3200)?.id).toBe(4);
    expect(closestEvent(events, 2000)?.id).toBe(2);
    expect(closestEvent(events, undefined)).toBeUndefined();
    expect(closestEvent([], 100)).toBeUndefined();
  });
});
