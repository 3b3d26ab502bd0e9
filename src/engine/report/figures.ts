import { nodeFigures, type NodeFigures } from '../../domain/node/nodeFigures';
import type { RunView } from '../../domain/model/run';
import type { SeriesId } from '../../domain/series/series';
import { formatRunTime } from '../../domain/text/timeFormat';
import type { SeriesSummary } from '../store';

export function runTime(view: RunView, timeMs: number): string {
  return formatRunTime(timeMs - view.startedMs);
}

/** `2026-11-22 15:20:31`, UTC. */
export function utc(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace('T', ' ');
}

/** The figures of each node over the entire run. */
export function figuresOfNodes(view: RunView, summaries: readonly SeriesSummary[]): readonly NodeFigures[] {
  return nodeFigures(view, (node, series) => highest(summaries, series, [node]));
}

/** The highest value of a series on any of the nodes. */
export function highest(
  summaries: readonly SeriesSummary[],
  series: SeriesId,
  nodes: readonly string[],
): number | undefined {
  const matchingSummaries = summaries.filter((summary) => summary.series === series && nodes.includes(summary.node));
  return matchingSummaries.length > 0 ? Math.max(...matchingSummaries.map((each) => each.max)) : undefined;
}
