import { hostValuesOf } from '../node/hostValues';
import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';
import type { Judged } from './evidence';
import { between, type Values } from '../series/windows';

/** Samples from the first arrival to the end of the hold. */
export function judgedValues({ values, time }: Judged, node: string, series: SeriesId): Values {
  return between(values(node, series), time.fromMs, time.toMs);
}

/** Judged values of a node's host. */
export function hostValues(judged: Judged, node: NodeView, series: SeriesId): Values {
  const values = (id: string, series: SeriesId): Values => judgedValues(judged, id, series);
  return hostValuesOf({ nodes: judged.view.nodes, values }, node, series);
}

/** All viewers connected at one time, from the last sample of each tester or audience before it. */
export function connectedAt(
  judged: Judged,
  timeMs: number,
  sources: ReadonlyArray<{ readonly id: string }> = judged.testers,
): number {
  return sources
    .map(({ id }) => {
      const { timeMs: times, value } = judgedValues(judged, id, 'viewersConnected');
      const before = times.filter((time) => time <= timeMs).length;
      return value[before - 1] ?? 0;
    })
    .reduce((sum, each) => sum + each, 0);
}
