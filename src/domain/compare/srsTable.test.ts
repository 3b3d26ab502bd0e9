import { expect, it } from 'vitest';
import { measuredOf, ramp } from '../../../tests/support/measured';
import type { SeriesId } from '../series/series';
import type { MeasuredRun } from './measuredRun';
import { srsRows, srsTable } from './srsTable';

/** A run of 50 viewers with further series: a constant value in each second. */
function runWith(more: Readonly<Record<string, number>>): MeasuredRun {
  const run = measuredOf({ id: 'a', viewers: ramp(50, 10, 20) });
  const { timeMs } = run.values('audience', 'viewersConnected');
  return {
    ...run,
    values: (node: string, series: SeriesId) => {
      const value = more[`${node} ${series}`];
      return value === undefined ? run.values(node, series) : { timeMs, value: timeMs.map(() => value) };
    },
  };
}

it('has the delay by the best method in its column Latency', () => {
  const latencyOf = (more: Readonly<Record<string, number>>) => srsRows(runWith(more))[0]?.latencyMs;
  const playlist = { 'audience liveLatencyP50Ms': 6000 };
  const reports = { 'audience senderReportDelayP50Ms': 30, ...playlist };
  const capture = { 'audience captureDelayP50Ms': 60, ...reports };
  expect(latencyOf({})).toBeUndefined();
  expect(latencyOf(playlist)).toBe(6000);
  expect(latencyOf(reports)).toBe(30);
  expect(latencyOf(capture)).toBe(60);
  expect(latencyOf({ 'origin glassToGlassP50Ms': 180.4, ...capture })).toBe(180.4);
  expect(srsTable(srsRows(runWith({ 'origin glassToGlassP50Ms': 180.4 })))).toMatch(/\| 180ms \|$/m);
  expect(srsTable(srsRows(runWith({})))).toMatch(/\| - \|$/m);
});

it('takes the method that measured most of the time, and says whose median it is', () => {
  const run = runWith({ 'audience captureDelayP50Ms': 60 });
  const short = (node: string, series: SeriesId) =>
    node === 'origin' && series === 'glassToGlassP50Ms'
      ? { timeMs: run.values('audience', 'viewersConnected').timeMs.slice(-2), value: [900, 900] }
      : run.values(node, series);
  expect(srsRows({ ...run, values: short })[0]?.latencyMs).toBe(60);
  expect(srsTable([])).toContain('the highest of their medians');
});
