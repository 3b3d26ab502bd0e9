import { publishesOnly } from '../model/publisherGroup';
import type { Plan } from '../model/plan';
import { isOfPublishers } from '../series/publisherSeries';
import { seriesDefinition, type SeriesId } from '../series/series';

/** What a plan without viewers expects of viewers. */
interface ViewerExpectation {
  /** The key in `expect`. */
  readonly key: string;
  /** Its place in `stop`, if it is a stop condition. */
  readonly place?: number;
  readonly sentence: string;
}

/** Whether a figure is one of viewers: of their testers, or as their origin counts them. */
const isOfViewers = (series: SeriesId): boolean =>
  (seriesDefinition(series)?.source === 'audience' && !isOfPublishers(series)) ||
  series === 'originViewers' ||
  series === 'originDegraded';

/** Conditions about viewers in a plan whose load is publishers alone: nothing would measure them. */
export function viewerExpectations(plan: Plan): readonly ViewerExpectation[] {
  if (!publishesOnly(plan)) return [];
  const sentence = (what: string): string =>
    `"${what}" is a figure of viewers, and this plan has publishers only. Remove it, or add "pull".`;
  const { degraded } = plan.expect;
  const stated = degraded && degraded.ifMeasured !== true ? [{ key: 'degraded', sentence: sentence('degraded') }] : [];
  const ofSeries = (plan.thresholds ?? []).filter(({ series }) => isOfViewers(series));
  const stops = (plan.stopWhen ?? []).flatMap(({ what }, place): ViewerExpectation[] => {
    const isOf = what === 'degraded' || (what !== 'failed' && what !== 'cpu' && isOfViewers(what));
    return isOf ? [{ key: what, place, sentence: sentence(what) }] : [];
  });
  return [...stated, ...ofSeries.map(({ series }) => ({ key: series, sentence: sentence(series) })), ...stops];
}
