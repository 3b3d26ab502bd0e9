import type { TraceSpec } from '../charts/chartSpec';
import { metricOf } from '../series/metricNames';
import type { NodeRole } from '../model/node';

/** The series of a panel: those of the selected nodes and run. */
const chosen = 'run=~"$run",node=~"$node"';

/** A line of a card as PromQL over every node of its inputs' role; undefined if nothing is measured for it. */
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

/** The name of a line in the legend: the node's name for a line of one node. */
export function legendOf(trace: TraceSpec): string {
  return trace.owner.kind === 'node' ? '{{node}}' : trace.label;
}

/** The second applies where a node has none of the first, whatever their other labels are. */
function firstOf(parts: readonly string[]): string {
  return parts.join(' or on (instance, node, run) ');
}
