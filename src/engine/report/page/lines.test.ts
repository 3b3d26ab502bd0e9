import { describe, expect, it } from 'vitest';
import type { TraceSpec } from '../../../domain/charts';
import { encodeColumn } from '../../store/block';
import {
  decodeColumn,
  extremeOf,
  panelLines,
  traceLine,
  valueAt,
  type Line,
  type SeriesOf,
} from './lines.mjs';

function line(samples: readonly (readonly [second: number, value: number])[]): Line {
  return { t: samples.map(([second]) => second * 1000), v: samples.map(([, value]) => value) };
}

function trace(series: readonly string[], changes: Partial<TraceSpec> = {}): TraceSpec {
  return {
    key: series[0] ?? 'empty',
    label: '',
    owner: { kind: 'neutral' },
    look: 'line',
    inputs: series.map((each) => ({ node: each, series: 'viewersConnected' })),
    combine: 'firstMeasured',
    factor: 1,
    onlyWhenMeasured: false,
    showFigure: true,
    extreme: 'highest',
    ...changes,
  };
}

function seriesOf(lines: Readonly<Record<string, Line>>): SeriesOf {
  return (node) => lines[node];
}

const valuesOf = (found: Line | undefined): number[] => Array.from(found?.v ?? []);

describe('a column within the page', () => {
  it.each([
    ['counts', [0, 1000, -30_000], [0, 1000, 996]],
    ['decimals', [137, 1137, 2140, 60_000], [41.2, 41.3, 0.001, 99.9]],
    ['anything', [1, 2, 3], [Math.PI, 1e300, -1e-9]],
  ])('is what was encoded: %s', (_, timeMs, value) => {
    const base64 = Buffer.from(encodeColumn({ timeMs, value }, 0)).toString('base64');
    const decoded = decodeColumn(base64, timeMs.length);
    expect(Array.from(decoded.t)).toEqual(timeMs);
    expect(Array.from(decoded.v)).toEqual(value);
  });
});

describe('the line of a trace', () => {
  it('is broken where samples are missing', () => {
    const found = traceLine(
      trace(['a'], { factor: 0.5 }),
      seriesOf({
        a: line([
          [0, 2],
          [1, 4],
          [2, 6],
          [9, 8],
        ]),
      }),
    );
    expect(valuesOf(found)).toEqual([1, 2, 3, NaN, 4]);
  });

  it('is nothing when nothing was measured', () => {
    expect(traceLine(trace(['a']), seriesOf({}))).toBeUndefined();
  });

  it('sums over testers, unknown while one of them is silent, and ended where it ended at 0', () => {
    const a = line([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
      [6, 1],
      [7, 1],
    ]);
    const b = line([
      [0, 10],
      [1, 10],
      [5, 10],
      [6, 0],
    ]);
    const found = traceLine(trace(['a', 'b'], { combine: 'sum' }), seriesOf({ a, b }));
    expect(valuesOf(found)).toEqual([11, 11, NaN, NaN, NaN, 11, 1, 1]);
  });

  it('takes the highest of those that are known', () => {
    const found = traceLine(
      trace(['a', 'b'], { combine: 'highest' }),
      seriesOf({
        a: line([
          [0, 5],
          [1, 6],
        ]),
        b: line([
          [0, 7],
          [1, 4],
        ]),
      }),
    );
    expect(valuesOf(found)).toEqual([7, 6]);
  });

  it('is 0 where the node answered and nothing happened', () => {
    const answers = line([
      [0, 1],
      [1, 1],
      [2, 1],
    ]);
    const pauses = line([[1.1, 0.4]]);
    const found = traceLine(
      trace(['pauses'], { zeroWhere: { node: 'answers', series: 'processCpuPercent' } }),
      seriesOf({ answers, pauses }),
    );
    expect(valuesOf(found)).toEqual([0, 0.4, 0]);
  });

  it('stands on the ones below it in a stack', () => {
    const panel = {
      label: '',
      unit: '' as const,
      weight: 1,
      lines: [],
      scale: { low: 0, high: 10, fixed: false },
      headStyle: 'integer' as const,
      tooltipStyle: 'integer' as const,
      traces: [trace(['a'], { look: 'stack' }), trace(['b'], { look: 'stack' })],
    };
    const lines = panelLines(
      panel,
      seriesOf({
        a: line([
          [0, 1],
          [1, 2],
        ]),
        b: line([
          [0, 10],
          [1, 20],
        ]),
      }),
    );
    expect(valuesOf(lines.get('a'))).toEqual([1, 2]);
    expect(valuesOf(lines.get('b'))).toEqual([11, 22]);
    expect(Array.from(lines.get('b')?.base ?? [])).toEqual([1, 2]);
    const second = lines.get('b');
    expect(second && valueAt(second, 1100)).toBe(20);
    expect(second && extremeOf(second, 'lowest')).toBe(10);
  });
});

it('a value at a moment is one that was measured near it', () => {
  const found = line([
    [0, 1],
    [1, 2],
    [5, 3],
  ]);
  expect(valueAt(found, 900)).toBe(2);
  expect(valueAt(found, 2000)).toBe(2);
  expect(valueAt(found, 3000)).toBeUndefined();
  expect(valueAt(found, 5900)).toBe(3);
});
