import { describe, expect, it } from 'vitest';
import { Column } from './column';
import { sparkline } from './sparkline';

const box = { width: 100, height: 10, fromMs: 0, toMs: 100_000, top: 100 };

function columnOf(...samples: [number, number][]): Column {
  const column = new Column(1000);
  for (const [timeMs, value] of samples) column.add(timeMs, value);
  return column;
}

describe('sparkline', () => {
  it('draws a line and returns its end', () => {
    const { path, end } = sparkline(columnOf([0, 0], [1000, 50], [2000, 100]), 1, box);
    expect(path).toBe('M0.0 10.0L1.0 5.0L2.0 0.0');
    expect(end).toEqual({ x: 2, y: 0 });
  });

  it('leaves a gap without samples', () => {
    expect(sparkline(columnOf([0, 0], [5000, 0]), 1, box).path).toBe('M0.0 10.0M5.0 10.0');
  });

  it('keeps the maximum of the samples in a pixel', () => {
    expect(sparkline(columnOf([0, 0], [200, 80], [400, 10]), 1, box).path).toBe('M0.0 2.0');
  });

  it('draws nothing without samples', () => {
    expect(sparkline(undefined, 1, box)).toEqual({ path: '' });
  });
});
