import { describe, expect, it } from 'vitest';
import { decimate, Points } from '../../domain/charts/drawing/decimate';
import { drawColumns } from './drawColumns';

interface Bar {
  readonly x: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Bars of a line with 10 samples per pixel column; a value of n is n pixels high. */
function bars(values: readonly number[], dash: readonly number[] = []): Bar[] {
  const points = new Points();
  decimate(
    {
      timesMs: Float64Array.from(values, (_, at) => at * 100),
      values: Float32Array.from(values),
      start: 0,
      end: values.length,
      factor: 1,
    },
    1000,
    points,
  );
  const drawn: Bar[] = [];
  const context = {
    fillStyle: '',
    fillRect: (x: number, top: number, width: number, height: number) => drawn.push({ x, top, width, height }),
  };
  const map = { x0: 0, xPerMs: 0.001, y0: 0, yPerUnit: -1 };
  drawColumns(context as unknown as CanvasRenderingContext2D, points, map, 'red', 1, dash);
  return drawn;
}
const column = (low: number, high: number): number[] => Array.from({ length: 10 }, (_, at) => (at === 5 ? high : low));

describe('drawColumns', () => {
  it('draws one bar per pixel column from the lowest to the highest value', () => {
    expect(bars([...column(2, 9), ...column(4, 30)])).toEqual([
      { x: 0, top: -9, width: 1, height: 7 },
      { x: 1, top: -30, width: 1, height: 26 },
    ]);
  });

  it('joins a column entirely above the previous one', () => {
    expect(bars([...column(2, 9), ...column(20, 30)])[1]).toEqual({ x: 1, top: -30, width: 1, height: 21 });
  });

  it('draws a flat line as one long bar of line width', () => {
    expect(bars(Array.from({ length: 50 }, () => 5))).toEqual([{ x: 0, top: -5.5, width: 5, height: 1 }]);
  });

  it('skips columns for a dash', () => {
    const drawn = bars(
      Array.from({ length: 140 }, () => 5),
      [5, 2],
    );
    expect(drawn.map(({ x, width }) => [x, width])).toEqual([
      [0, 5],
      [7, 5],
    ]);
  });

  it('does not bridge a gap', () => {
    const silent = Array.from({ length: 40 }, () => NaN);
    const drawn = bars([...column(5, 5), ...silent, ...column(5, 5)]);
    expect(drawn.map(({ x, width }) => [x, width])).toEqual([
      [0, 1],
      [5, 1],
    ]);
  });
});
