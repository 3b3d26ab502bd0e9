import type { SeriesThreshold } from '../model/plan';
import { percentileSeriesOf } from '../series/distributions';
import { seriesDefinition, type SeriesId } from '../series/series';

/**
 * Whether a host without a free processor, or a tester at its own limit, may have made a series miss its limit. Either
 * loses viewers and never adds one, and target values come from the plan itself.
 */
export function isAffectable({ series, comparison }: Pick<SeriesThreshold, 'series' | 'comparison'>): boolean {
  if (series === 'viewersRequested' || series === 'arrivalRateTarget') return false;
  return !(series === 'viewersConnected' && comparison === '<=');
}

/** Whether a series is a figure of viewers: of the audience, or of what browser viewers and the player displayed of it. */
export const isFigureOfViewers = (series: SeriesId): boolean =>
  seriesDefinition(series)?.source === 'audience' || percentileSeriesOf(series) !== undefined;
