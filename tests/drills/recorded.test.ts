import { describe, expect, it } from 'vitest';
import { samplesOf } from './recorded';

/** One sample a second, a little late each. */
const seconds = (...at: number[]): number[] => at.map((each) => each * 1000 + (each % 3) * 20);
const values = [0, 300];

describe('the samples of a run', () => {
  it('are complete with one a second', () => {
    expect(samplesOf(seconds(1, 2, 3, 4), values)).toMatchObject({ lost: 0, gapSeconds: 0, peak: 300 });
  });

  it('are lost where a second has none', () => {
    expect(samplesOf(seconds(1, 2, 5, 6), values)).toMatchObject({ lost: 2 });
  });

  it('are not lost if a busy machine delays one', () => {
    expect(samplesOf([1000, 2000, 4300, 4310, 5000], values)).toMatchObject({ lost: 0 });
  });

  it('count as lost when they are out of order or twice', () => {
    expect(samplesOf(seconds(1, 3, 2, 4), values).lost).toBeGreaterThan(0);
    expect(samplesOf(seconds(1, 2, 2, 3), values)).toMatchObject({ lost: 1 });
  });

  it('may be missing in a gap, but not beside it', () => {
    const gap = { fromMs: 3000, toMs: 18_000 };
    expect(samplesOf(seconds(1, 2, 18, 19), values, gap)).toMatchObject({ lost: 0, invented: 0, gapSeconds: 15.96 });
    expect(samplesOf(seconds(1, 2, 18, 21), values, gap)).toMatchObject({ lost: 2 });
  });

  it('are invented if they are of a time in which nothing was measured', () => {
    expect(samplesOf(seconds(1, 2, 9, 18), values, { fromMs: 3000, toMs: 18_000 })).toMatchObject({ invented: 1 });
  });
});
