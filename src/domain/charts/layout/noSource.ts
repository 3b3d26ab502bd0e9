import type { ChartSpec } from '../chartSpec';
import type { BuiltInChartId } from '../../model/chartIds';

/**
 * What would measure the built-in charts of nodes. Charts of viewer metrics need a pull, as an empty chart states
 * itself.
 */
const sources: Readonly<Partial<Record<BuiltInChartId, string>>> = {
  cpu: 'add SSH or node_exporter',
  bandwidth: 'add SSH or node_exporter',
  gc: 'add SSH and a GC log',
  memory: 'add SSH or node_exporter',
  load: 'add SSH or node_exporter',
};

/** The chart with a sentence about what to add if none of its series is measured. */
export function withNoSource(chart: ChartSpec, hasPull: boolean): ChartSpec {
  const source = chart.isOfViewers
    ? hasPull && 'the testers of this run do not measure it'
    : sources[chart.id as BuiltInChartId];
  return source ? { ...chart, noSource: `No source: ${source}` } : chart;
}
