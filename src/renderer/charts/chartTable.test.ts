import { describe, expect, it } from 'vitest';
import type { ChartSpec, TraceSpec } from '../../domain/charts/charts';
import { chartTable, maxRows, tableStepMs } from './chartTable';
import { SampleStore } from './sampleStore';

const trace = (node: string, of: Partial<TraceSpec> = {}): TraceSpec => ({
  key: node,
  label: node,
  owner: { kind: 'neutral' },
  look: 'line',
  inputs: [{ node, series: 'cpuPercent' }],
  combine: 'firstMeasured',
  factor: 1,
  onlyWhenMeasured: false,
  showFigure: true,
  extreme: 'highest',
  ...of,
});
const chart = (...traces: TraceSpec[]): ChartSpec => ({
  id: 'cpu',
  title: 'CPU',
  subtitle: '%',
  shortSubtitle: '%',
  gapRings: true,
  isOfViewers: false,
  panels: [
    {
      label: '',
      unit: '%',
      weight: 1,
      traces,
      lines: [],
      scale: { low: 0, high: 100, fixed: true },
      headStyle: 'integer',
      tooltipStyle: 'tenths',
    },
  ],
});

const startedMs = 1_000_000;
function storeOf(node: string, values: Readonly<Record<number, number>>): SampleStore {
  const store = new SampleStore();
  const seconds = Object.keys(values).map(Number);
  store.append({
    keys: [{ node, series: 'cpuPercent' }],
    key: seconds.map(() => 0),
    timeMs: seconds.map((second) => startedMs + second * 1000),
    value: seconds.map((second) => values[second] ?? 0),
  });
  return store;
}

describe('the values of a chart as a table', () => {
  it('has one row per second, and an empty cell for missing values', () => {
    const store = storeOf('a', { 0: 10, 1: 20, 3: 40 });
    const table = chartTable(chart(trace('a')), store, startedMs, { fromMs: 0, toMs: 3000, stepMs: 1000 });
    expect(table.rows.map(({ timeMs, values }) => [timeMs, values[0]])).toEqual([
      [0, 10],
      [1000, 20],
      [2000, undefined],
      [3000, 40],
    ]);
  });

  it('keeps the maximum of a longer step, or the minimum where lower is worse', () => {
    const store = storeOf('a', { 0: 10, 4: 90, 9: 30, 10: 5 });
    const steps = { fromMs: 0, toMs: 10_000, stepMs: 10_000 };
    const of = (extreme: TraceSpec['extreme']): readonly unknown[] =>
      chartTable(chart(trace('a', { extreme })), store, startedMs, steps).rows.map(({ values }) => values[0]);
    expect(of('highest')).toEqual([90, 5]);
    expect(of('lowest')).toEqual([10, 5]);
  });

  it('shows values in the unit of the chart, and no column without data', () => {
    const store = storeOf('a', { 0: 10 });
    const table = chartTable(chart(trace('a', { factor: 0.5 }), trace('b')), store, startedMs, {
      ...{ fromMs: 0, toMs: 0, stepMs: 1000 },
    });
    expect(table.columns.map(({ trace: { label } }) => label)).toEqual(['a']);
    expect(table.rows[0]?.values).toEqual([5]);
  });

  it('limits the number of rows, and never has rows shorter than the sample interval', () => {
    for (const lengthMs of [0, 1000, 299_000, 301_000, 3_600_000, 4 * 3_600_000, 40 * 86_400_000])
      expect(lengthMs / tableStepMs(lengthMs)).toBeLessThanOrEqual(maxRows);
    expect(tableStepMs(10_000, 15_000)).toBe(30_000);
  });
});
