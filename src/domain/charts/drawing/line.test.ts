import { describe, expect, it } from 'vitest';
import type { TraceSpec } from '../chartSpec';
import type { SeriesId } from '../../series/series';
import { Combiner, Stacker, type Line } from './line';
import { decimate, Points } from './decimate';
import { FixedSamples, fixedColumn } from './samples';

function storeOf(series: SeriesId, nodes: Record<string, readonly (readonly [number, number])[]>): FixedSamples {
  const seconds = Object.entries(nodes).map(([node, samples]) => ({ node, series, samples }));
  return sourceOf(...seconds);
}
function sourceOf(
  ...columns: readonly { node: string; series: SeriesId; samples: readonly (readonly [number, number])[] }[]
): FixedSamples {
  return new FixedSamples((node, series) => {
    const found = columns.find((column) => column.node === node && column.series === series)?.samples;
    return (
      found &&
      fixedColumn(
        found.map(([second]) => second * 1000),
        found.map(([, value]) => value),
      )
    );
  });
}
function traceOf(series: SeriesId, nodes: readonly string[], of: Partial<TraceSpec> = {}): TraceSpec {
  return {
    key: 'trace',
    label: 'trace',
    owner: { kind: 'neutral' },
    look: 'line',
    inputs: nodes.map((node) => ({ node, series })),
    combine: 'sum',
    factor: 1,
    onlyWhenMeasured: false,
    showFigure: true,
    extreme: 'highest',
    ...of,
  };
}
/** Values by second, without unknown ones. */
function known(line: Line | undefined): Record<number, number> {
  const found: Record<number, number> = {};
  for (let at = line?.start ?? 0; line && at < line.end; at += 1) {
    const value = line.values[at] ?? NaN;
    if (!Number.isNaN(value)) found[(line.timesMs[at] ?? 0) / 1000] = value;
  }
  return found;
}
const every = (from: number, to: number, value: number): [number, number][] =>
  Array.from({ length: to - from + 1 }, (_, at) => [from + at, value]);

describe('Combiner', () => {
  it('returns the samples of one series unchanged, with one more on each side of the view', () => {
    const store = storeOf('cpuPercent', { a: every(0, 20, 5) });
    const line = new Combiner().line(store, traceOf('cpuPercent', ['a']), 5000, 10_000);
    expect([line?.start, line?.end]).toEqual([5, 12]);
  });

  it('sums the nodes per second, although each samples at its own times', () => {
    const store = storeOf('viewersConnected', {
      a: every(0, 5, 10),
      b: every(0, 5, 7).map(([second, value]): [number, number] => [second + 0.4, value]),
    });
    const sums = known(new Combiner().line(store, traceOf('viewersConnected', ['a', 'b']), 0, 10_000));
    expect(sums[2]).toBe(17);
    expect(sums[5]).toBe(17);
  });

  it('has no sum while one of its nodes has no data', () => {
    const store = storeOf('viewersConnected', {
      a: every(0, 10, 10),
      b: [...every(0, 3, 7), ...every(8, 10, 7)],
    });
    const sums = known(new Combiner().line(store, traceOf('viewersConnected', ['a', 'b']), 0, 20_000));
    expect(sums[3]).toBe(17);
    expect(sums[5]).toBeUndefined();
    expect(sums[7]).toBeUndefined();
    expect(sums[8]).toBe(17);
  });

  it('sums without a node that ended at 0 or has not started, but not without one that vanished', () => {
    const store = storeOf('viewersConnected', { a: every(0, 10, 10), b: [...every(2, 4, 7), [5, 0]] });
    const sums = known(new Combiner().line(store, traceOf('viewersConnected', ['a', 'b']), 0, 20_000));
    expect([sums[0], sums[3], sums[9]]).toEqual([10, 17, 10]);
    const lost = storeOf('viewersConnected', { a: every(0, 10, 10), b: every(2, 4, 7) });
    expect(known(new Combiner().line(lost, traceOf('viewersConnected', ['a', 'b']), 0, 20_000))[9]).toBeUndefined();
  });

  it('takes the maximum of nodes with data', () => {
    const store = storeOf('connectP95Ms', { a: every(0, 10, 100), b: every(0, 4, 300) });
    const worst = known(
      new Combiner().line(store, traceOf('connectP95Ms', ['a', 'b'], { combine: 'highest' }), 0, 20_000),
    );
    expect([worst[3], worst[8]]).toEqual([300, 100]);
  });

  it('shows 0 for seconds with data but without a pause, and nothing in gaps', () => {
    const store = sourceOf(
      { node: 'a', series: 'processCpuPercent', samples: [...every(0, 4, 50), ...every(9, 10, 50)] },
      {
        node: 'a',
        series: 'gcPauseMs',
        samples: [
          [2, 8],
          [9, 3],
        ],
      },
    );
    const trace = traceOf('gcPauseMs', ['a'], {
      combine: 'firstMeasured',
      zeroWhere: { node: 'a', series: 'processCpuPercent' },
    });
    expect(known(new Combiner().line(store, trace, 0, 20_000))).toEqual({
      0: 0,
      1: 0,
      2: 8,
      3: 0,
      4: 0,
      9: 3,
      10: 0,
    });
  });
});

describe('Stacker', () => {
  it('stacks each trace on the previous ones and leaves a gap above one without data', () => {
    const series = 'viewersConnected';
    const store = storeOf(series, { a: [...every(0, 3, 10), ...every(8, 10, 10)], b: every(0, 10, 5) });
    const [a, b] = new Stacker().layers(store, [traceOf(series, ['a']), traceOf(series, ['b'])], 0, 20_000);
    expect(known(a?.top)[2]).toBe(10);
    expect(known(b?.top)[2]).toBe(15);
    expect(known(b?.base)[2]).toBe(10);
    expect(known(b?.top)[6]).toBeUndefined();
    expect(known(b?.top)[9]).toBe(15);
  });

  it('draws a single tester at its samples, and interpolates others', () => {
    const store = storeOf('viewersConnected', {
      a: [
        [0.954, 0],
        [1.954, 200],
        [2.954, 400],
      ],
      b: [
        [0.454, 0],
        [1.454, 100],
        [2.454, 200],
      ],
    });
    const traces = [traceOf('viewersConnected', ['a']), traceOf('viewersConnected', ['b'])];
    const [alone] = new Stacker().layers(store, traces.slice(0, 1), 0, 5000);
    expect([...(alone?.top.timesMs.subarray(0, alone.top.end) ?? [])]).toEqual([954, 1954, 2954]);
    expect([...(alone?.top.values.subarray(0, alone.top.end) ?? [])]).toEqual([0, 200, 400]);
    const [, both] = new Stacker().layers(store, traces, 0, 5000);
    expect(both?.top.timesMs[1]).toBe(1454);
    expect(both?.top.values[1]).toBe(100 + 100);
  });

  it('returns nothing for a trace without samples', () => {
    const store = storeOf('viewersConnected', { a: every(0, 3, 10) });
    const traces = [traceOf('viewersConnected', ['none']), traceOf('viewersConnected', ['a'])];
    const [none, a] = new Stacker().layers(store, traces, 0, 5000);
    expect(none).toBeUndefined();
    expect(known(a?.top)[1]).toBe(10);
  });
});

it('draws a run of another step without a gap between two steps, and with one after three missing steps', () => {
  const timeMs = [0, 15_000, 30_000, 90_000, 105_000];
  const store = new FixedSamples(() => fixedColumn(timeMs, [1, 2, 3, 4, 5]), 15_000);
  const line = new Combiner().line(store, traceOf('load1', ['a']), 0, 200_000);
  const points = new Points();
  if (line) decimate(line, 0, points);
  expect([...points.values.subarray(0, points.length)]).toEqual([1, 2, 3, NaN, 4, 5]);
});
