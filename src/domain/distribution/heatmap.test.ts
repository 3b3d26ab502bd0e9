import { describe, expect, it } from 'vitest';
import { heatStep, heatStepMs, rowPosition, type DistributionOverTime } from './heatmap';
import { heatmapShapes } from './heatmapShapes';
import { Histogram } from './histogram';

describe('a step of a heatmap', () => {
  it('has every value in the row between whose bounds it is', () => {
    const values = [0, 0.5, 1.05, 1.06, 40, 41, 1000];
    const step = heatStep(1000, Histogram.of(values));
    expect(step).toMatchObject({ timeMs: 1000, count: 7, zero: 1, min: 0, max: 1000 });
    const rowsOf = new Map<number, number>();
    for (const value of values.slice(1)) {
      const row = Math.ceil(rowPosition(value)) - 1;
      rowsOf.set(row, (rowsOf.get(row) ?? 0) + 1);
    }
    expect(new Map(step.rows)).toEqual(rowsOf);
  });

  it('is as short as the columns allow', () => {
    expect(heatStepMs(60_000, 120)).toBe(1000);
    expect(heatStepMs(130_000, 120)).toBe(2000);
    expect(heatStepMs(8 * 3600_000, 120)).toBe(300_000);
    expect(heatStepMs(300 * 24 * 3600_000, 120)).toBe(21_600_000);
  });
});

describe('the shapes of a heatmap', () => {
  const size = { width: 600, height: 200, fromMs: 0, toMs: 10_000, bad: 'high' } as const;
  const data = (...steps: Array<readonly [number, number[]]>): DistributionOverTime => ({
    stepMs: 1000,
    steps: steps.map(([second, values]) => heatStep(second * 1000, Histogram.of(values))),
  });

  it('are within the plot, higher values above, and the lines where their values are', () => {
    const { cells, lines, ticks } = heatmapShapes(data([0, [1, 1, 1, 80]], [1, [1, 2, 4, 80]]), size);
    for (const { x, y, width, height } of cells) {
      expect(x).toBeGreaterThanOrEqual(0);
      expect(x + width).toBeLessThanOrEqual(600);
      expect(y).toBeGreaterThanOrEqual(-0.001);
      expect(y + height).toBeLessThanOrEqual(200.001);
    }
    const [low, high] = cells;
    expect(low?.y).toBeGreaterThan(high?.y ?? Infinity);
    expect(low?.opacity).toBeGreaterThan(high?.opacity ?? Infinity);
    expect(lines.map(({ percentile }) => percentile)).toEqual(['p50', 'p95', 'p99']);
    const [, y = NaN] = /^M30\.0 ([\d.]+)L/.exec(lines[0]?.path ?? '')?.map(Number) ?? [];
    // The median is 1, on the border of its cell.
    expect(Math.abs(y - (low?.y ?? NaN))).toBeLessThan((low?.height ?? 0) * 1.01);
    expect(ticks.map(({ text }) => text)).toContain('10');
  });

  it('have a gap where nothing was measured, and a row for 0', () => {
    const { lines, cells, ticks } = heatmapShapes(data([0, [0, 5]], [1, [5]], [7, [5]]), { ...size, bad: 'low' });
    expect(lines.map(({ percentile }) => percentile)).toEqual(['p50', 'p5']);
    expect(lines[0]?.path.match(/M/g)).toHaveLength(2);
    expect(ticks[0]).toMatchObject({ text: '0' });
    expect(Math.max(...cells.map(({ y, height }) => y + height))).toBeCloseTo(200, 5);
  });

  it('are none without values', () => {
    expect(heatmapShapes(data(), size)).toEqual({ cells: [], lines: [], ticks: [] });
  });
});
