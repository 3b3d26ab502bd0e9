import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { percentile } from '../series/percentile';
import { bucketOf, maxRelativeError, middleOf, upperBound, zeroBelow } from './buckets';
import { Histogram } from './histogram';

/** Values as runs have them: jitter, round trips, times to connect. */
function logNormal(count: number, seed: number): number[] {
  let state = seed;
  const random = (): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state + 1) / (2 ** 31 + 1);
  };
  return Array.from({ length: count }, () =>
    Math.exp(1 + 1.5 * Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())),
  );
}

describe('histograms', () => {
  it('of a million values, split over 2 to 200, have the percentiles of the whole', () => {
    const values = logNormal(1_000_000, 7);
    const sorted = Float64Array.from(values).sort();
    const whole = Histogram.of(values);
    for (const parts of [2, 17, 200]) {
      const split = Array.from({ length: parts }, () => new Histogram());
      // Uneven parts: some have almost everything.
      values.forEach((value, place) => split[Math.floor(parts * ((place * 0.618) % 1) ** 3)]?.add(value));
      const merged = Histogram.merged(split.reverse());
      expect(merged).toEqual(whole);
    }
    for (const percent of [0.1, 1, 5, 50, 95, 99, 99.9]) {
      const exact = percentile(sorted, percent) ?? NaN;
      expect(Math.abs(whole.percentile(percent) - exact) / exact).toBeLessThanOrEqual(maxRelativeError + 1e-12);
    }
    expect([whole.percentile(0), whole.percentile(100)]).toEqual([sorted[0], sorted.at(-1)]);
  });

  it('keep the error of each percentile, whatever the values and however they are split', () => {
    const value = fc.oneof(
      fc.double({ min: -1e6, max: 1e6, noNaN: true }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: -60, max: 60 }),
    );
    fc.assert(
      fc.property(
        fc.array(fc.array(value, { maxLength: 30 }), { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 99 }),
        (parts, percent) => {
          const merged = Histogram.merged(parts.map((part) => Histogram.of(part)));
          const sorted = parts.flat().sort((a, b) => a - b);
          const exact = percentile(sorted, percent);
          if (exact === undefined) return merged === undefined;
          const error = Math.abs((merged?.percentile(percent) ?? NaN) - exact);
          return error <= Math.abs(exact) * (maxRelativeError + 1e-12) + zeroBelow;
        },
      ),
    );
  });

  it('have their sum within the error, and count no NaN', () => {
    const values = logNormal(1000, 3);
    const histogram = Histogram.of([...values, NaN, Infinity]);
    const sum = values.reduce((total, value) => total + value, 0);
    expect(histogram.count).toBe(1000);
    expect(Math.abs(histogram.sum - sum) / sum).toBeLessThan(maxRelativeError);
  });

  it('are empty without values', () => {
    expect(Histogram.merged([undefined, new Histogram()])).toBeUndefined();
    expect(new Histogram().percentile(50)).toBeNaN();
  });
});

describe('buckets', () => {
  it('contain the values between their bounds, and one in the middle represents them', () => {
    for (const value of [zeroBelow, 0.001, 0.999, 1, 1.0000001, 2, 3, 1024, 1025, 1e9]) {
      const bucket = bucketOf(value);
      expect(value).toBeGreaterThan(upperBound(bucket - 1));
      expect(value).toBeLessThanOrEqual(upperBound(bucket));
      expect(Math.abs(middleOf(bucket) - value) / value).toBeLessThanOrEqual(maxRelativeError + 1e-12);
    }
    expect(maxRelativeError).toBeLessThan(0.0055);
  });
});
