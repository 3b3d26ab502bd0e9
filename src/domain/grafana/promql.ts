import type { TraceSpec } from '../charts/chartSpec';
import { percentileSeriesOf, statPercent, type PercentileSeries } from '../series/distributions';
import { histogramMetricOf, metricOf } from '../series/metricNames';
import type { NodeRole } from '../model/node';

/** The series of a panel: those of the selected nodes and run. */
const chosen = 'run=~"$run",node=~"$node"';

/** A line of a card as PromQL over every node of its inputs' role; undefined if nothing is measured for it. */
export function promqlOf(trace: TraceSpec, roleOf: (node: string) => NodeRole): string | undefined {
  const [percentile] = trace.inputs.flatMap(({ series }) => percentileSeriesOf(series) ?? []);
  if (percentile) return quantileOf(percentile, trace.owner.kind === 'node');
  const parts = new Set(
    trace.inputs.flatMap(({ node, series }) => {
      const metric = metricOf(series);
      return metric ? [`${metric.name}{role="${roleOf(node)}",${chosen}}`] : [];
    }),
  );
  if (parts.size === 0) return undefined;
  const all = [...parts].join(' or ');
  if (trace.combine === 'firstMeasured') return firstOf([...parts]);
  return `${trace.combine === 'sum' ? 'sum' : 'max'}(${all})`;
}

/** A quantile over the viewers of each tester or of all: by native histograms, else by classic ones. */
function quantileOf({ distribution, stat }: PercentileSeries, perNode: boolean): string {
  const { name } = histogramMetricOf(distribution);
  const labels = perNode ? ['instance', 'node', 'run'] : [];
  const rate = (metric: string): string => `rate(${metric}{role="tester",${chosen}}[$__rate_interval])`;
  const sum = (by: readonly string[], metric: string): string =>
    by.length === 0 ? `sum(${rate(metric)})` : `sum by (${by.join(', ')}) (${rate(metric)})`;
  return [sum(labels, name), sum([...labels, 'le'], `${name}_bucket`)]
    .map((histogram) => `histogram_quantile(${statPercent[stat] / 100}, ${histogram})`)
    .join(' or ');
}

/** The name of a line in the legend: the node's name for a line of one node. */
export function legendOf(trace: TraceSpec): string {
  return trace.owner.kind === 'node' ? '{{node}}' : trace.label;
}

/** The second applies where a node has none of the first, whatever their other labels are. */
function firstOf(parts: readonly string[]): string {
  return parts.join(' or on (instance, node, run) ');
}
