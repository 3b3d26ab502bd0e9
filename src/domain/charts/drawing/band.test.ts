import { describe, expect, it } from 'vitest';
import type { TraceSpec } from '../chartSpec';
import { BandReader, bandFigures, hasManyLines } from './band';
import { decimate, Points } from './decimate';
import { fixedColumn, FixedSamples } from './samples';

const trace = (name: string, more: Partial<TraceSpec> = {}): TraceSpec => ({
  key: name,
  label: name,
  owner: { kind: 'node', node: name, colourSlot: 1 },
  look: 'line',
  inputs: [{ node: name, series: 'cpuPercent' }],
  combine: 'firstMeasured',
  factor: 1,
  onlyWhenMeasured: false,
  showFigure: true,
  extreme: 'highest',
  ...more,
});

/** A line with a value for each second; undefined is a gap. */
const line = (name: string, values: readonly (number | undefined)[], more: Partial<TraceSpec> = {}) => {
  const points = new Points();
  for (const [second, value] of values.entries()) points.push(second * 1000 + 40, value ?? NaN);
  return { spec: trace(name, more), points };
};

const listed = ({ timesMs, values, length }: Points): readonly (readonly [number, number])[] =>
  Array.from({ length }, (_, at) => [timesMs[at] ?? 0, values[at] ?? 0]);

describe('many lines', () => {
  it('become the lowest, the highest and the mean of each column', () => {
    const reader = new BandReader();
    const worst = reader.read([line('a', [10, 20]), line('b', [30, 60]), line('c', [20, 10])], 0, 1999, 1000);
    expect(worst?.spec.key).toBe('b');
    expect(listed(reader.low)).toEqual([
      [500, 10],
      [1500, 10],
    ]);
    expect(listed(reader.high)).toEqual([
      [500, 30],
      [1500, 60],
    ]);
    expect(listed(reader.mean)).toEqual([
      [500, 20],
      [1500, 30],
    ]);
  });

  it('are the worst where they are lowest, if low is bad', () => {
    const low = { extreme: 'lowest' } as const;
    expect(new BandReader().read([line('a', [25], low), line('b', [12], low)], 0, 999, 1000)?.spec.key).toBe('b');
  });

  it('have a gap only where all of them have one, and a line with one adds nothing there', () => {
    const reader = new BandReader();
    reader.read([line('a', [1, undefined, undefined, 1]), line('b', [3, 5, undefined, 3])], 0, 3999, 1000);
    expect(listed(reader.mean)).toEqual([
      [500, 2],
      [1500, 5],
      [2500, NaN],
      [3500, 2],
    ]);
  });

  it('are continued between two samples, so that one that is late moves no mean', () => {
    const reader = new BandReader();
    const late = new Points();
    late.push(0, 10);
    late.push(2000, 30);
    reader.read([{ spec: trace('late'), points: late }, line('b', [20, 20, 20])], 0, 2999, 1000);
    expect(listed(reader.mean)).toEqual([
      [500, 15],
      [1500, 20],
      [2500, 25],
    ]);
  });

  it('have the mean of all samples of a column, not of its lowest and highest', () => {
    const reduced = (name: string, values: readonly number[]) => {
      const points = new Points();
      const timesMs = Float64Array.from(values, (_, second) => second * 1000);
      const samples = { timesMs, values: Float32Array.from(values), start: 0, end: values.length, factor: 2 };
      decimate(samples, 100_000, points);
      return { spec: trace(name), points };
    };
    const seconds = Array.from({ length: 1000 }, (_, second) => second);
    const peak = reduced(
      'peak',
      seconds.map((second) => (second % 100 === 37 ? 50 : 1)),
    );
    const even = reduced(
      'even',
      seconds.map(() => 2),
    );
    const reader = new BandReader();
    const worst = reader.read([peak, even], 0, 999_999, 100_000);
    expect(peak.points.length).toBe(20);
    expect(listed(reader.high).map(([, value]) => value)).toEqual(Array.from({ length: 10 }, () => 100));
    // 99 seconds of 2 and one of 100, beside 4.
    for (const [, value] of listed(reader.mean)) expect(value).toBeCloseTo((2.98 + 4) / 2);
    expect(worst?.spec.key).toBe('even');
  });

  it('cost three lines, whatever their number', () => {
    const reader = new BandReader();
    const many = Array.from({ length: 200 }, (_, at) => line(`n${at}`, [at, at]));
    reader.read(many, 0, 1999, 1000);
    expect([reader.low, reader.high, reader.mean].map(({ length }) => length)).toEqual([2, 2, 2]);
    expect(reader.mean.values[0]).toBe(99.5);
  });
});

describe('the figures of a band', () => {
  const figures = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ panel: 0, trace: trace(`n${at}`), value: at * 10 }));

  it('are the worst by name, mean, min and max, then what is of no node', () => {
    const other = { panel: 0, trace: trace('p95', { owner: { kind: 'neutral' } }), value: 7 };
    const found = bandFigures([...figures(9), other], { kind: 'now' });
    expect(found.map(({ trace: { label }, value }) => [label, value])).toEqual([
      ['n8', 80],
      ['mean', 40],
      ['min', 0],
      ['max', 80],
      ['p95', 7],
    ]);
  });

  it('are those of each line where these are few', () => {
    expect(bandFigures(figures(8), { kind: 'now' })).toHaveLength(8);
  });

  it('are for charts with more than eight lines that have data', () => {
    const panel = { label: '', unit: '%' as const, weight: 1, lines: [], scale: { low: 0, high: 100, fixed: true } };
    const styles = { headStyle: 'integer', tooltipStyle: 'integer' } as const;
    const traces = figures(10).map(({ trace }, at) => ({
      ...trace,
      inputs: [{ node: `n${at}`, series: 'cpuPercent' as const }],
    }));
    const has = (measured: number): boolean =>
      hasManyLines(
        { panels: [{ ...panel, ...styles, traces }] },
        new FixedSamples((node) => (Number(node.slice(1)) < measured ? fixedColumn([0], [1]) : undefined)),
      );
    expect([8, 9].map(has)).toEqual([false, true]);
  });

  it('of the extremes of a run are the worst alone: a mean of peaks is none of any time', () => {
    expect(bandFigures(figures(9), { kind: 'extreme' }).map(({ trace: { key }, value }) => [key, value])).toEqual([
      ['band worst', 80],
    ]);
    const low = figures(9).map((each) => ({ ...each, trace: { ...each.trace, extreme: 'lowest' as const } }));
    expect(bandFigures(low, { kind: 'extreme' }).map(({ value }) => value)).toEqual([0]);
  });

  it('leave out nodes without a value', () => {
    const silent = { panel: 0, trace: trace('silent'), value: undefined };
    expect(bandFigures([...figures(9), silent], { kind: 'now' }).map(({ value }) => value)).toEqual([80, 40, 0, 80]);
  });
});
