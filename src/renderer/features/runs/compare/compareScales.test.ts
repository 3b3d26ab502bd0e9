import { describe, expect, it } from 'vitest';
import type { ComparedChart } from '../../../../domain/compare/comparison';
import { axisEnd, axisTicks, closestValue, namesInRows, valueRange } from '../../../../domain/compare/compareScales';
import { rolesOf } from './runStyles';
import { emphasised } from './emphasis';
import { shortNames } from './shortNames';

const line = { x: [0, 10_000, 20_000], y: [1, null, 30] };
const chart: ComparedChart = {
  id: 'gc',
  title: 'GC pause',
  about: 'ms',
  unit: 'ms',
  limit: 10,
  overTime: [line],
  overViewers: [{ x: [10, 996], y: [1, 30] }],
};

describe('charts of compared runs', () => {
  it('share one axis that ends at a round number of viewers, or with the longest run', () => {
    expect(axisEnd([chart], 'viewers')).toBe(1000);
    expect(axisEnd([chart], 'time')).toBe(20_000);
    expect(axisTicks(1000, 'viewers', 205)).toEqual([0, 250, 500, 750, 1000]);
    expect(axisTicks(4, 'viewers', 400)).toEqual([0, 1, 2, 3, 4]);
    expect(axisTicks(20_000, 'time', 200)).toEqual([0, 5000, 10_000, 15_000, 20_000]);
  });

  it('show the limit even if no value is close to it', () => {
    expect(valueRange(chart, [{ x: [0], y: [2] }]).high).toBe(15);
    expect(valueRange(chart, [line]).high).toBeGreaterThan(30);
    expect(valueRange({ ...chart, id: 'cpu' }, [line])).toEqual({ low: 0, high: 100 });
  });

  it('never show more than 100 % of a share', () => {
    expect(valueRange({ ...chart, unit: '%' }, [{ x: [0], y: [99] }]).high).toBe(100);
  });

  it('have the names of five runs in rows, where none touches another', () => {
    const names = [100, 104, 108, 112, 300].map((x, i) => ({ text: `${i}`, x, width: 40 }));
    const placed = namesInRows(names, { left: 0, right: 310 });
    expect(placed.map(({ row }) => row)).toEqual([0, 1, 2, 3, 0]);
    expect(placed.at(-1)?.left).toBe(270);
  });

  it('show the value measured near the crosshair, if any', () => {
    expect(closestValue(line, 19_000, 2000)).toBe(30);
    expect(closestValue(line, 10_000, 2000)).toBeUndefined();
  });

  it('distinguish runs of one origin by colour, and without one', () => {
    const run = { id: 'x', letter: 'A', name: '', startedMs: 0, origin: '', isBaseline: false };
    const runs = [1, 1, 1, 2].map((originSlot) => ({
      ...run,
      originSlot,
      isTesterLimited: false,
      repeats: 1,
    }));
    const looks = rolesOf(runs);
    expect(looks.map(({ css }) => css)).toEqual([
      'var(--series-1)',
      'var(--series-2)',
      'var(--series-3)',
      'var(--series-4)',
    ]);
    expect(new Set(looks.map(({ dash }) => dash.join(' '))).size).toBe(4);
  });
});

describe('text of a comparison', () => {
  it('emphasises the gain', () => {
    expect(
      emphasised('B connected 736 more viewers and reached no limit.').find(({ isStrong }) => isStrong)?.text,
    ).toBe('736 more viewers');
    expect(emphasised('No gain.')).toEqual([{ text: 'No gain.', isStrong: false }]);
  });

  it('names runs by their difference', () => {
    const at = Date.UTC(2026, 10, 24, 12);
    expect(
      shortNames([
        { name: 'Pull 1000, before tuning', startedMs: at },
        { name: 'Pull 1000', startedMs: at },
        { name: 'Soak, long', startedMs: at },
      ]),
    ).toEqual(['before tuning', 'Pull 1000, 24 Nov', 'Soak, long']);
  });
});
