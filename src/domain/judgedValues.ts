import type { NodeView } from './node';
import type { SeriesId } from './series';
import type { Judged } from './judged';
import type { Values } from './windows';

/** Samples from the first arrival to the end of the hold. */
export function judgedValues({ values, time }: Judged, node: string, series: SeriesId): Values {
  const { timeMs, value } = values(node, series);
  const within = timeMs.map((each) => each >= time.fromMs && each <= time.toMs);
  return { timeMs: timeMs.filter((_, i) => within[i]), value: value.filter((_, i) => within[i]) };
}

/** Figures of a host, which may have been sampled under the name of another node on it. */
export function hostValues(judged: Judged, node: NodeView, series: SeriesId): Values {
  const own = judgedValues(judged, node.id, series);
  if (own.timeMs.length > 0) return own;
  const others = judged.view.nodes.filter((other) => other.host === node.host && other.id !== node.id);
  const found = others.map((other) => judgedValues(judged, other.id, series));
  return found.find((each) => each.timeMs.length > 0) ?? own;
}
