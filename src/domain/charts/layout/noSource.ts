import type { ChartSpec } from '../chartSpec';
import type { BuiltInChartId } from '../../model/chartIds';
import type { NodeView } from '../../model/node';
import { silentGcLog, silentHostSource } from '../../model/silentSource';

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

/**
 * The chart with a sentence about what to add if none of its series is measured, or about the configured source that is
 * silent.
 */
export function withNoSource(
  chart: ChartSpec,
  hasPull: boolean,
  nodes: ReadonlyArray<Pick<NodeView, 'id' | 'name' | 'links' | 'gcProblem'>> = [],
): ChartSpec {
  const id = chart.id as BuiltInChartId;
  const ofNodes = id === 'gc' ? silentGcLog : silentHostSource;
  const silent = nodes.flatMap((node) => {
    const why = ofNodes(node);
    return why === undefined ? [] : [`${node.name}: ${why}`];
  })[0];
  const source = chart.isOfViewers
    ? hasPull && 'the testers of this run do not measure it'
    : sources[id] && (silent ?? sources[id]);
  return source ? { ...chart, noSource: `No source: ${source}` } : chart;
}
