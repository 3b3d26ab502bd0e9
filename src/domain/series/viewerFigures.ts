import { percentileSeriesOf } from './distributions';
import { seriesDefinition, type SeriesId } from './series';

/** Whether a series is a figure of viewers: of the audience, or of what browser viewers and the player displayed of it. */
export const isFigureOfViewers = (series: SeriesId): boolean =>
  seriesDefinition(series)?.source === 'audience' || percentileSeriesOf(series) !== undefined;
