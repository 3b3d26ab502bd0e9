import type { BuiltInChartId, ChartSpec } from '../chartSpec';

/** What would measure the built-in charts of nodes. Those made by viewers need a pull, which an empty chart says by itself. */
const sources: Readonly<Partial<Record<BuiltInChartId, string>>> = {
  cpu: 'add SSH or node_exporter',
  bandwidth: 'add SSH or node_exporter',
  gc: 'add SSH and a GC log',
  memory: 'add SSH or node_exporter',
  load: 'add SSH or node_exporter',
};

/** The chart with a sentence about what to add, for the case that none of its series is measured. */
export function withNoSource(chart: ChartSpec, hasPull: boolean): ChartSpec {
  const source = chart.madeByViewers
    ? hasPull && 'the testers of this run do not measure it'
    : sources[chart.id as BuiltInChartId];
  return source ? { ...chart, noSource: `No source: ${source}` } : chart;
}
