import { formatRounded } from '../text/numberFormat';
import { seriesDefinition, type SeriesId } from './series';

/** A value of a series with its unit, for tables: bytes as MiB in every row, so that a column is comparable. */
export function seriesText(series: SeriesId, value: number): string {
  const unit = seriesDefinition(series)?.unit ?? '';
  return unit === 'bytes'
    ? `${formatRounded(value / 2 ** 20)} MiB`
    : `${formatRounded(value)}${unit ? ` ${unit}` : ''}`;
}
