import { describe, expect, it } from 'vitest';
import { curveOf } from './curve';

describe('the curve of stages', () => {
  it('ramps up, holds, jumps for a spike and ends at 0 viewers', () => {
    const curve = curveOf([
      { kind: 'ramp', viewers: 500, overMs: 30_000 },
      { kind: 'hold', forMs: 60_000 },
      { kind: 'spike', viewers: 900, forMs: 20_000, ratePerSecond: 200 },
      { kind: 'hold', forMs: 8000 },
    ]);
    expect(curve).toMatchObject({ peak: 900, lengthMs: 120_000 });
    const corners = curve.points.filter(
      ({ ms, viewers }, i, all) => all[i - 1]?.ms !== ms || all[i - 1]?.viewers !== viewers,
    );
    expect(corners.map(({ ms, viewers }) => [ms / 1000, viewers])).toEqual([
      [0, 0],
      [30, 500],
      [90, 500],
      [92, 900],
      [112, 900],
      [112, 500],
      [120, 500],
      [120, 0],
    ]);
    expect(curve.viewerTicks).toEqual([0, 500]);
    expect(curve.timeTicks).toEqual([0, 30, 60, 90, 120].map((s) => s * 1000));
  });

  it.each([
    [1, [0, 1]],
    [3, [0, 1, 2, 3]],
    [10, [0, 5, 10]],
    [260, [0, 100, 200]],
    [2500, [0, 1000, 2000]],
    [100_000, [0, 50_000, 100_000]],
  ])('has round figures for a peak of %i', (viewers, ticks) => {
    expect(curveOf([{ kind: 'ramp', viewers, overMs: 1000 }]).viewerTicks).toEqual(ticks);
  });

  it('has few round times, for seconds and for months', () => {
    for (const overMs of [700, 4000, 45_000, 600_000, 3 * 3_600_000, 5 * 86_400_000, 300 * 86_400_000]) {
      const { timeTicks } = curveOf([{ kind: 'ramp', viewers: 9, overMs }]);
      expect(timeTicks.length).toBeLessThanOrEqual(7);
      expect(Math.max(...timeTicks)).toBeLessThanOrEqual(overMs);
    }
  });

  it('stays small, with the same peak, if there are more steps than columns', () => {
    const { points, peak } = curveOf([
      { kind: 'step', viewers: 1000, by: 1, holdMs: 1000, ratePerSecond: 100 },
      { kind: 'step', viewers: 0, by: 1, holdMs: 1000, ratePerSecond: 100 },
    ]);
    expect(points.length).toBeLessThan(2500);
    expect(Math.max(...points.map(({ viewers }) => viewers))).toBe(peak);
  });
});
