import { formatFigure } from '../text/numberFormat';
import { seriesDefinition, type SeriesId } from './series';

/** About three significant digits, without decimals for whole numbers. */
export function aboutFigure(value: number | undefined): string {
  return formatFigure(value, Number.isInteger(value) ? 'integer' : 'adaptive');
}

/** A value of a series with its unit, for tables: bytes as MiB in every row, so that a column is comparable. */
export function seriesText(series: SeriesId, value: number): string {
  const unit = seriesDefinition(series)?.unit ?? '';
  return unit === 'bytes' ? `${aboutFigure(value / 2 ** 20)} MiB` : `${aboutFigure(value)}${unit ? ` ${unit}` : ''}`;
}
