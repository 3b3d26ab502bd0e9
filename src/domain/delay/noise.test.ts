import { describe, expect, it } from 'vitest';
import { changeOf, type DelayChange } from './noise';
import { spreadOf } from './spread';

/** Pseudo-random numbers from 0 to 1, the same in each run. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function change(before: readonly number[], after: readonly number[], uncertaintyMs = 0): DelayChange {
  const [left, right] = [before, after].map((values) => {
    const spread = spreadOf(values);
    if (!spread) throw new Error('no values');
    return { values, spread, uncertaintyMs };
  });
  if (!left || !right) throw new Error('no values');
  return changeOf(left, right);
}

/** Normal noise around 60 ms. */
function simulation(seed: number): (count: number, shiftMs: number) => readonly number[] {
  const random = randomOf(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return (count, shiftMs) => Array.from({ length: count }, () => 60 + shiftMs + 4 * normal());
}

describe('a change beyond the noise', () => {
  it.each([2, 3, 4, 5, 10])('is claimed of at most 5 of 100 pairs of one distribution, with %i repeats', (repeats) => {
    const measure = simulation(repeats);
    let claimed = 0;
    for (let pair = 0; pair < 1000; pair += 1) {
      // A claim of any figure of a path counts; independent ones are the worst case. No uncertainty hides the noise.
      const figures = [0, 1, 2].map(() => change(measure(repeats, 0), measure(repeats, 0)));
      if (figures.some((each) => each !== 'unchanged')) claimed += 1;
    }
    expect(claimed).toBeLessThanOrEqual(50);
  });

  it.each([3, 4, 5, 10])('is found when it is three times the spread, with %i repeats', (repeats) => {
    const [random, measure] = [randomOf(repeats), simulation(repeats)];
    const even = (from: number): readonly number[] => Array.from({ length: repeats }, () => from + 10 * random());
    // What 3 repeats of a normal distribution differ by is 1.7 standard deviations in the mean, of 10 repeats 3.1.
    const shiftMs = 3 * (repeats > 5 ? 3.1 : 1.7) * 4;
    const found = [0, 0];
    for (let pair = 0; pair < 1000; pair += 1) {
      if (change(even(60), even(30)) === 'lower') found[0] = (found[0] ?? 0) + 1;
      if (change(measure(repeats, 0), measure(repeats, shiftMs)) === 'higher') found[1] = (found[1] ?? 0) + 1;
    }
    expect(found[0]).toBe(1000);
    expect(found[1]).toBeGreaterThan(800);
  });

  it('is more than the uncertainties of both sides, with any number of repeats', () => {
    const before = Array.from({ length: 10 }, (_, index) => 60 + index / 10);
    const by = (ms: number): readonly number[] => before.map((value) => value - ms);
    expect(change(before, by(17), 9)).toBe('unchanged');
    expect(change(before, by(20), 9)).toBe('lower');
    expect(change(by(20), before, 9)).toBe('higher');
    expect(change(before.slice(0, 3), by(17).slice(0, 3), 9)).toBe('unchanged');
    expect(change(before.slice(0, 3), by(20).slice(0, 3), 9)).toBe('lower');
  });

  it('is not claimed with a single repeat, unless it is larger than usual noise', () => {
    expect(change([60], [40])).toBe('unknown');
    expect(change([60, 61, 62], [100])).toBe('unknown');
    expect(change([60], [120])).toBe('higher');
    // A quarter of a long delay, and three times what the other side's repeats differ by.
    expect(change([4000], [3200])).toBe('unknown');
    expect(change([4000], [2500])).toBe('lower');
    expect(change([100, 130, 160], [10])).toBe('unknown');
    expect(change([60], [60])).toBe('unknown');
  });

  it('is decided by ranks from five repeats on: one outlier hides nothing', () => {
    const before = [60, 61, 62, 63, 64, 65, 66, 67, 68, 69];
    expect(change(before, [40, 41, 42, 43, 44, 45, 46, 47, 48, 90])).toBe('lower');
    expect(change(before, [58, 59, 60, 61, 62, 63, 64, 65, 66, 67])).toBe('unchanged');
    expect(change(before, before)).toBe('unchanged');
  });
});
