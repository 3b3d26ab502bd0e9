import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { chartsFor, type TraceSpec } from './charts';
import { ChartSummaries, summaryText, type LineFigures } from './chartSummary';
import { PanelReader, PanelTrace } from './drawing/panel';
import { FixedSamples, fixedColumn } from './drawing/samples';

const node = (id: string, role: NodeView['role'], colourSlot: number): NodeView => ({
  ...{ id, name: id, role, colourSlot, state: 'live', reach: 'test', host: id, streams: [] },
});
const nodes = [node('wcs-1', 'origin', 1), node('tester-1', 'tester', 2)];
const charts = chartsFor({ nodes, expect: { cpu: { comparison: '<=', value: 95 } }, requested: 100 });
const chart = (id: string) => {
  const found = charts.find((chart) => chart.id === id);
  if (!found) throw new Error(`no chart ${id}`);
  return found;
};
const figures = (label: string, of: Partial<LineFigures>): LineFigures => ({
  ...{ label, now: undefined, extreme: 0, extremeAtMs: 0, isLowest: false },
  ...of,
});

describe('the summary of a chart', () => {
  const cpu = chart('cpu');

  it('has the current value, the peak with its time, and the limit', () => {
    const one = [figures('wcs-1', { now: 46, extreme: 92, extremeAtMs: 13_000 })];
    expect(summaryText(cpu, [one])).toBe('CPU: 46 % now, peak 92 % at 0:13, limit 95 %');
  });

  it('names several lines, the worst first, and counts the others', () => {
    const lines = [10, 40, 20, 50, 30].map((extreme) => figures(`n${extreme}`, { extreme, extremeAtMs: 60_000 }));
    expect(summaryText(cpu, [lines])).toBe(
      'CPU: n50 peak 50 % at 1:00; n40 peak 40 % at 1:00; n30 peak 30 % at 1:00; 2 more lines; limit 95 %',
    );
  });

  it('takes the lowest value as the worst where lower is worse', () => {
    const lines = [24, 11].map((extreme) => figures(`n${extreme}`, { extreme, isLowest: true }));
    expect(summaryText(chart('frameRate'), [lines])).toMatch(/: n11 minimum 11.0 fps at 0:00; n24 minimum 24.0 fps/);
  });

  it('names a part of the run, and reports missing data', () => {
    expect(summaryText(cpu, [[]], { fromMs: 10_000, toMs: 70_000 })).toBe('CPU, 0:10 to 1:10: no data');
  });
});

describe('a summary from samples', () => {
  const startedMs = 1_000_000;
  const times = [0, 10, 20, 30].map((second) => startedMs + second * 1000);
  const values: Readonly<Record<string, readonly number[]>> = { 'wcs-1': [5, 92, 60, 46], 'tester-1': [1, 2, 3, 4] };
  const store = new FixedSamples((id, series) =>
    series === 'cpuPercent' ? fixedColumn(times, values[id] ?? []) : undefined,
  );
  const scope = { startedMs, fromMs: 0, toMs: 30_000, nowMs: 30_000, isPart: false };
  const summaries = new ChartSummaries();
  const all = (): boolean => true;

  it('is of the shown lines', () => {
    expect(summaries.read(chart('cpu'), store, scope, ({ label }) => label === 'wcs-1')).toMatch(
      /^CPU: 46(\.0)? % now, peak 92(\.0)? % at 0:10, limit 95 %/,
    );
  });

  it('is of the visible range only', () => {
    const part = { ...scope, fromMs: 15_000, nowMs: undefined, isPart: true };
    expect(summaries.read(chart('cpu'), store, part, all)).toMatch(
      /^CPU, 0:15 to 0:30: wcs-1 peak 60(\.0)? % at 0:20; tester-1 peak 4(\.0)? % at 0:30; limit 95 %/,
    );
  });

  it('has the extremes of the drawn points, where there are any', () => {
    const spec = chart('cpu');
    const [panel] = spec.panels;
    if (!panel) throw new Error('no panel');
    const reader = new PanelReader(
      panel,
      panel.traces.map((trace) => new PanelTrace(trace)),
    );
    // Columns of 20 s: two of the four samples are drawn of each.
    reader.read(store, startedMs, startedMs + 30_000, 20_000);
    const drawn = (trace: TraceSpec) => reader.traces.find((each) => each.spec === trace)?.points;
    const fromSamples = summaries.read(spec, store, scope, all);
    const nothing = new FixedSamples(() => undefined);
    const ended = { ...scope, nowMs: undefined };
    expect(summaries.read(spec, store, scope, all, drawn)).toBe(fromSamples);
    expect(summaries.read(spec, nothing, ended, all, drawn)).toBe(summaries.read(spec, store, ended, all));
  });

  it('of a time has each value there, or none', () => {
    expect(summaries.at(chart('cpu'), store, { startedMs, timeMs: 10_000 }, all)).toMatch(
      /^CPU at 0:10: wcs-1 92(\.0)? %, tester-1 2(\.0)? %$/,
    );
    expect(summaries.at(chart('memory'), store, { startedMs, timeMs: 10_000 }, all)).toBe('Memory at 0:10: no data');
  });
});
