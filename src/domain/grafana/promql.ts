import type { TraceSpec } from '../chartSpec';
import { metricOf } from '../metricNames';
import type { NodeRole } from '../node';

/** Which series a panel shows: those of the nodes and the run that somebody has chosen. */
const chosen = 'run=~"$run",node=~"$node"';

/** A line of a card as PromQL over every node of the role that its inputs have; undefined for one that nothing is measured for. */
export function promqlOf(trace: TraceSpec, roleOf: (node: string) => NodeRole): string | undefined {
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

/** The name of a line in the legend: the node's where it is one node's. */
export function legendOf(trace: TraceSpec): string {
  return trace.owner.kind === 'node' ? '{{node}}' : trace.label;
}

/** The second stands where a node has none of the first, whatever else their labels are. */
function firstOf(parts: readonly string[]): string {
  return parts.join(' or on (instance, node, run) ');
}
