import { describe, expect, it } from 'vitest';
import { houseSeats, type Audience, type Seat } from './house';

function count(audience: Partial<Audience>): Record<Seat, number> {
  const seats = houseSeats({
    requested: 1000,
    connected: 0,
    degraded: 0,
    connecting: 0,
    failed: 0,
    ...audience,
  });
  expect(seats).toHaveLength(100);
  const of = (seat: Seat): number => seats.filter((each) => each === seat).length;
  return {
    watching: of('watching'),
    degraded: of('degraded'),
    connecting: of('connecting'),
    empty: of('empty'),
    failedHere: of('failedHere'),
    failed: of('failed'),
  };
}

describe('the house', () => {
  it('shows 742 of 1,000 with 23 degraded, 9 connecting and 4 failed', () => {
    expect(count({ connected: 742, degraded: 23, connecting: 9, failed: 4 })).toEqual({
      watching: 72,
      degraded: 2,
      connecting: 1,
      empty: 24,
      failedHere: 0,
      failed: 1,
    });
  });

  it('gives a single failure a seat even in a full house', () => {
    expect(count({ connected: 999, failed: 1 })).toMatchObject({ watching: 99, failed: 1, empty: 0 });
    expect(count({ requested: 100_000, connected: 1 })).toMatchObject({ watching: 1 });
  });

  it("tells those that failed by their tester's own from those of the server", () => {
    const seats = { failed: 30, failedHere: 20, connected: 500 };
    expect(count(seats)).toMatchObject({ failedHere: 2, failed: 1, watching: 50, empty: 47 });
    expect(count({ ...seats, failed: 20 })).toMatchObject({ failedHere: 2, failed: 0 });
  });

  it('keeps healthy viewers in sight beside degraded ones', () => {
    expect(count({ requested: 100_000, connected: 2, degraded: 1 })).toMatchObject({
      watching: 1,
      degraded: 1,
    });
    expect(count({ connected: 10, degraded: 10 })).toMatchObject({ watching: 0, degraded: 1 });
  });

  it('is empty before a run, and its failed seats are at the right end', () => {
    expect(houseSeats({ requested: 0, connected: 0, degraded: 0, connecting: 0, failed: 0 })[0]).toBe(
      'empty',
    );
    expect(houseSeats({ requested: 10, connected: 1, degraded: 0, connecting: 0, failed: 1 }).at(-1)).toBe(
      'failed',
    );
  });
});
