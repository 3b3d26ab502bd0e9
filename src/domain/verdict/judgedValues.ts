import type { NodeView } from '../node';
import type { SeriesId } from '../series';
import type { Judged } from './judged';
import type { RunView } from '../run';
import { between, type Values } from '../windows';

/** Samples from the first arrival to the end of the hold. */
export function judgedValues({ values, time }: Judged, node: string, series: SeriesId): Values {
  return between(values(node, series), time.fromMs, time.toMs);
}

/** The same of a host. */
export function hostValues(judged: Judged, node: NodeView, series: SeriesId): Values {
  const values = (id: string, each: SeriesId): Values => judgedValues(judged, id, each);
  return hostValuesOf({ nodes: judged.view.nodes, values }, node, series);
}

/** Figures of a host, which may have been sampled under the name of another node on it. */
export function hostValuesOf(
  { nodes, values }: Pick<RunView, 'nodes'> & Pick<Judged, 'values'>,
  node: NodeView,
  series: SeriesId,
): Values {
  const own = values(node.id, series);
  if (own.timeMs.length > 0) return own;
  const others = nodes.filter((other) => other.host === node.host && other.id !== node.id);
  return others.map(({ id }) => values(id, series)).find(({ timeMs }) => timeMs.length > 0) ?? own;
}
