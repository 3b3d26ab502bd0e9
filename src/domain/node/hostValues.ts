import { sharingHost } from '../model/host';
import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';

/** The nodes of a run with their samples. */
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
