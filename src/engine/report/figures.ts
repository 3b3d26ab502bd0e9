import { formatFigure } from '../../domain/numberFormat';
import type { RunView } from '../../domain/run';
import { seriesDefinition, type SeriesId } from '../../domain/series';
import { formatRunTime } from '../../domain/timeFormat';
import type { SeriesSummary } from '../store';

/** `1,000` */
export const whole = (value: number | undefined): string => formatFigure(value, 'integer');
/** About three digits that matter, none after the point of a whole number. */
export const about = (value: number | undefined): string =>
  formatFigure(value, Number.isInteger(value) ? 'integer' : 'adaptive');

/** A value of a series with its unit; bytes as MiB. */
export function withUnit(series: SeriesId, value: number): string {
  const unit = seriesDefinition(series)?.unit ?? '';
  return unit === 'bytes' ? `${about(value / 2 ** 20)} MiB` : `${about(value)}${unit ? ` ${unit}` : ''}`;
}

export function runTime(view: RunView, timeMs: number): string {
  return formatRunTime(timeMs - view.startedMs);
}

/** `2026-11-22 15:20:31`, UTC. */
export function utc(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** The highest value that any of the nodes had of a series. */
export function highest(
  summaries: readonly SeriesSummary[],
  series: SeriesId,
  nodes: readonly string[],
): number | undefined {
  const found = summaries.filter((each) => each.series === series && nodes.includes(each.node));
  return found.length > 0 ? Math.max(...found.map((each) => each.max)) : undefined;
}
