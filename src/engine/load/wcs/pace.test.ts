import { describe, expect, it } from 'vitest';
import { Pace } from './pace';

/** Starts all that may at each of the times; returns how many. */
function begin(pace: Pace, timesMs: readonly number[]): number[] {
  return timesMs.map((timeMs) => {
    const count = pace.available(timeMs);
    pace.use(count);
    return count;
  });
}

const everyMs = (step: number, count: number): number[] => Array.from({ length: count }, (_, i) => i * step);
const sum = (counts: readonly number[]): number => counts.reduce((total, count) => total + count, 0);

describe('a pace', () => {
  it('starts the first one at once, then at the configured rate', () => {
    const counts = begin(new Pace(100, 0), everyMs(20, 51));
    expect(counts[0]).toBe(1);
    expect(sum(counts)).toBe(101);
    expect(Math.max(...counts)).toBe(2);
  });

  it('supports slow rates', () => {
    expect(begin(new Pace(0.5, 0), [0, 1000, 2000, 3000, 4000])).toEqual([1, 0, 1, 0, 1]);
  });

  it('catches up at most a quarter of a second after a stall', () => {
    const pace = new Pace(100, 0);
    begin(pace, [0]);
    expect(begin(pace, [10_000, 10_010])).toEqual([25, 1]);
  });

  it('tolerates a clock that is set back', () => {
    const pace = new Pace(100, 1000);
    expect(begin(pace, [1000, 500, 520])).toEqual([1, 0, 2]);
  });
});
