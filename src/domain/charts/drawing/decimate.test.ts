import { describe, expect, it } from 'vitest';
import { decimate, Points } from './decimate';
import type { Line } from './line';

function line(samples: readonly (readonly [number, number])[], factor = 1): Line {
  return {
    timesMs: Float64Array.from(samples, ([time]) => time),
    values: Float32Array.from(samples, ([, value]) => value),
    start: 0,
    end: samples.length,
    factor,
  };
}
function reduced(of: Line, bucketMs: number): { pairs: [number, number][]; points: Points } {
  const points = new Points();
  decimate(of, bucketMs, points);
  const pairs = Array.from({ length: points.length }, (_, at): [number, number] => [
    points.timesMs[at] ?? 0,
    points.values[at] ?? 0,
  ]);
  return { pairs, points };
}
const hour = Array.from({ length: 3600 }, (_, at): [number, number] => [at * 1000, (at * 37) % 101]);

describe('decimate', () => {
  it('keeps every sample up to two per column', () => {
    expect(reduced(line(hour.slice(0, 100)), 1500).pairs).toEqual(hour.slice(0, 100));
  });

  it('leaves about two points per column, with every extreme at its own time', () => {
    const samples = hour.map(([time, value]): [number, number] => [time, time === 1_234_000 ? 999 : value]);
    const { pairs, points } = reduced(line(samples), 16_000);
    expect(points.length).toBeLessThanOrEqual(2 * Math.ceil(3600 / 16));
    expect(points.length).toBeGreaterThan(400);
    expect(pairs).toContainEqual([1_234_000, 999]);
    expect(points.highest).toBe(999);
    expect(points.lowest).toBe(0);
    const times = pairs.map(([time]) => time);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    for (let bucket = 0; bucket < 225; bucket += 1) {
      const inBucket = ([time]: readonly [number, number]): boolean => Math.floor(time / 16_000) === bucket;
      const all = samples.filter(inBucket).map(([, value]) => value);
      const kept = pairs.filter(inBucket).map(([, value]) => value);
      expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...all), Math.max(...all)]);
    }
  });

  it('shows the same points while the view moves', () => {
    const one = reduced(line(hour.slice(0, 3000)), 16_000).pairs;
    const other = reduced(line(hour.slice(165, 3000)), 16_000).pairs;
    expect(one.slice(-300)).toEqual(other.slice(-300));
  });

  it('keeps a gap a gap and marks its ends', () => {
    const samples: [number, number][] = [
      [0, 1],
      [1000, 2],
      [9000, 3],
      [10_000, 4],
    ];
    const { pairs, points } = reduced(line(samples), 100);
    expect(pairs.map(([, value]) => value)).toEqual([1, 2, NaN, 3, 4]);
    expect(points.gapEnds.map((at) => pairs[at]?.[1])).toEqual([2, 3]);
  });

  it('does not treat clock jitter as a gap', () => {
    expect(
      reduced(
        line([
          [0, 1],
          [2400, 2],
        ]),
        100,
      ).pairs.length,
    ).toBe(2);
  });

  it('breaks the line once per column, regardless of its number of gaps', () => {
    const sparse = Array.from({ length: 1200 }, (_, at): [number, number] => [at * 3000, at]);
    const { points } = reduced(line(sparse), 60_000);
    expect(points.length).toBeLessThanOrEqual(60 * 5);
    expect(points.gapEnds.length / 2).toBeLessThanOrEqual(61);
  });

  it('multiplies by the factor', () => {
    expect(reduced(line([[0, 8]], 0.25), 100).pairs).toEqual([[0, 2]]);
  });
});
