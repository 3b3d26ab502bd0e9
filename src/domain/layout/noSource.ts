import type { BuiltInChartId, ChartSpec } from '../chartSpec';

/** What gives the built-in charts their samples, for a run that has none of it. */
const sources: Readonly<Record<BuiltInChartId, string>> = {
  viewers: 'start a pull',
  cpu: 'add SSH or node_exporter',
  bandwidth: 'start a pull, or add SSH to the origin',
  gc: 'add SSH and a GC log',
  memory: 'add SSH or node_exporter',
  load: 'add SSH or node_exporter',
  frameRate: 'start a pull',
  jitter: 'start a pull',
  connect: 'start a pull',
};

/** The chart with a sentence about what to add or start, for the case that none of its series is measured. */
export function withNoSource(chart: ChartSpec, hasPull: boolean): ChartSpec {
  const source = sources[chart.id as BuiltInChartId] as string | undefined;
  if (source === undefined) return chart;
  const isOfPull = chart.madeByViewers && hasPull;
  return {
    ...chart,
    noSource: isOfPull ? 'No source: the testers of this run do not measure it' : `No source: ${source}`,
  };
}
