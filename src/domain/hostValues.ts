import { sharingHost } from './host';
import type { NodeView } from './node';
import type { SeriesId } from './series';
import type { Values } from './windows';

/** The nodes of a run and what was measured of them. */
interface Measured {
  readonly nodes: readonly NodeView[];
  readonly values: (node: string, series: SeriesId) => Values;
}

/** Figures of a host, which may have been sampled under the name of another node on it. */
export function hostValuesOf({ nodes, values }: Measured, node: NodeView, series: SeriesId): Values {
  const own = values(node.id, series);
  if (own.timeMs.length > 0) return own;
  const others = sharingHost(node, nodes).map(({ id }) => values(id, series));
  return others.find(({ timeMs }) => timeMs.length > 0) ?? own;
}
