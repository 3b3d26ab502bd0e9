import { expect, it } from 'vitest';
import { parseTime } from './optionValues';

it.each([
  ['2026-11-21T09:00:00Z', Date.UTC(2026, 10, 21, 9)],
  ['2026-11-21 09:00:00.250z', Date.UTC(2026, 10, 21, 9, 0, 0, 250)],
  ['2026-11-21T09:00+01:30', Date.UTC(2026, 10, 21, 7, 30)],
  ['2026-11-21T09:00-0800', Date.UTC(2026, 10, 21, 17)],
  // Local time without a zone.
  ['2026-11-21T09:00', new Date(2026, 10, 21, 9).getTime()],
  ['2026-11-21', new Date(2026, 10, 21).getTime()],
])('reads %s', (text, timeMs) => {
  expect(parseTime(text)).toBe(timeMs);
});

it.each(['', 'now', '1795270000', '2026-02-31T00:00Z', '2026-13-01', '21.11.2026', '2026-11-21T25:00Z', 'Nov 21 2026'])(
  'refuses %j',
  (text) => {
    expect(parseTime(text)).toBeUndefined();
  },
);
