import { describe, expect, it } from 'vitest';
import type { PanelSpec, TraceSpec } from '../chartSpec';
import { decimate, Points } from './decimate';
import { Combiner, type Line } from './line';
import { PanelReader, PanelTrace } from './panel';
import { ReadoutReader } from './readouts';
import { fixedColumn, FixedSamples } from './samples';

type Seconds = readonly (readonly [second: number, value: number])[];

/** The samples of a report, one series per node. */
function seriesOf(nodes: Readonly<Record<string, Seconds>>): FixedSamples {
  return new FixedSamples((node) => {
    const samples = nodes[node];
    return (
      samples &&
      fixedColumn(
        samples.map(([second]) => second * 1000),
        samples.map(([, value]) => value),
      )
    );
  });
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

function traceLine(of: TraceSpec, source: FixedSamples): Line | undefined {
  return new Combiner().line(source, of, -Infinity, Infinity);
}

function drawn(line: Line | undefined): Points {
  const points = new Points();
  if (line) decimate(line, 0, points);
  return points;
}

/** Samples are in single precision. */
const plain = (values: Float32Array): number[] => Array.from(values, (value) => Number(value.toPrecision(6)));
const valuesOf = (line: Line | undefined): number[] =>
  plain(line?.values.subarray(line.start, line.end) ?? new Float32Array());
const pointsOf = ({ values, length }: Points): number[] => plain(values.subarray(0, length));

describe('the line of a trace', () => {
  it('has a gap where samples are missing', () => {
    const found = traceLine(
      trace(['a'], { factor: 0.5 }),
      seriesOf({
        a: [
          [0, 2],
          [1, 4],
          [2, 6],
          [9, 8],
        ],
      }),
    );
    expect(pointsOf(drawn(found))).toEqual([1, 2, 3, NaN, 4]);
  });

  it('is nothing when nothing was measured', () => {
    expect(traceLine(trace(['a']), seriesOf({}))).toBeUndefined();
  });

  it('sums over testers, unknown during a gap of one, and ended where one ended at 0', () => {
    const a: Seconds = [
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 1],
      [4, 1],
      [5, 1],
      [6, 1],
      [7, 1],
    ];
    const b: Seconds = [
      [0, 10],
      [1, 10],
      [5, 10],
      [6, 0],
    ];
    const found = traceLine(trace(['a', 'b'], { combine: 'sum' }), seriesOf({ a, b }));
    expect(valuesOf(found)).toEqual([11, 11, NaN, NaN, NaN, 11, 1, 1]);
  });

  it('takes the maximum of the known values', () => {
    const found = traceLine(
      trace(['a', 'b'], { combine: 'highest' }),
      seriesOf({
        a: [
          [0, 5],
          [1, 6],
        ],
        b: [
          [0, 7],
          [1, 4],
        ],
      }),
    );
    expect(valuesOf(found)).toEqual([7, 6]);
  });

  it('is 0 where the node was sampled and nothing happened', () => {
    const answers: Seconds = [
      [0, 1],
      [1, 1],
      [2, 1],
    ];
    const pauses: Seconds = [[1.1, 0.4]];
    const found = traceLine(
      trace(['pauses'], { zeroWhere: { node: 'answers', series: 'processCpuPercent' } }),
      seriesOf({ answers, pauses }),
    );
    expect(valuesOf(found)).toEqual([0, 0.4, 0]);
  });

  it('is drawn above the ones below it in a stack', () => {
    const panel: PanelSpec = {
      label: '',
      unit: '',
      weight: 1,
      lines: [],
      scale: { low: 0, high: 10, fixed: false },
      headStyle: 'integer',
      tooltipStyle: 'integer',
      traces: [trace(['a'], { look: 'stack' }), trace(['b'], { look: 'stack', extreme: 'lowest' })],
    };
    const source = seriesOf({
      a: [
        [0, 1],
        [1, 2],
      ],
      b: [
        [0, 10],
        [1, 20],
      ],
    });
    const reader = new PanelReader(
      panel,
      panel.traces.map((trace) => new PanelTrace(trace)),
    );
    reader.read(source, -Infinity, Infinity, 0);
    const [a, b] = reader.traces;
    expect(a && pointsOf(a.points)).toEqual([1, 2]);
    expect(b && pointsOf(b.points)).toEqual([11, 22]);
    expect(b?.base && pointsOf(b.base)).toEqual([1, 2]);
    const readouts = new ReadoutReader();
    expect(b && readouts.value(source, b.spec, { kind: 'cursor', timeMs: 1100 })).toBe(20);
    expect(b && readouts.value(source, b.spec, { kind: 'extreme' })).toBe(10);
  });
});

it('a value at a time is one that was measured close to it', () => {
  const source = seriesOf({
    a: [
      [0, 1],
      [1, 2],
      [5, 3],
    ],
  });
  const readouts = new ReadoutReader();
  const valueAt = (timeMs: number): number | undefined =>
    readouts.value(source, trace(['a']), { kind: 'cursor', timeMs });
  expect(valueAt(900)).toBe(2);
  expect(valueAt(2000)).toBe(2);
  expect(valueAt(3000)).toBeUndefined();
  expect(valueAt(5900)).toBe(3);
});
