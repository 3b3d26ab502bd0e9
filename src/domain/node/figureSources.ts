import {
  figureSources,
  seriesDefinition,
  sourcedSeries,
  type FigureSource,
  type SeriesId,
  type ValuesBySeries,
} from '../series/series';
import type { FigureSourceView } from '../model/node';

/** Read once in a while, so that another source may have it first: it says nothing about the figures of each second. */
const rareSeries: ReadonlySet<SeriesId> = new Set(['diskFreeBytes']);

const kinds = [
  { of: 'host', figures: 'CPU, memory, network' },
  { of: 'process', figures: 'Process' },
] as const;

/**
 * Selects the source of each of a node's series. A series has one source: the best that has reported it so far, in the
 * order of `figureSources`. Another source of the same figure becomes its own series, e.g.
 * `networkOutMbps@node_exporter`. A source that stops reporting leaves a gap: no other one replaces it.
 */
export class FigureSources {
  private readonly owners = new Map<SeriesId, FigureSource>();
  private readonly others = new Map<SeriesId, Set<FigureSource>>();

  /** The values of one source under their series names for this node. */
  take(source: FigureSource, values: ValuesBySeries): ValuesBySeries {
    const named: ValuesBySeries = {};
    for (const [id, value] of Object.entries(values)) {
      const series = id as SeriesId;
      named[this.isOwner(series, source) ? series : sourcedSeries(series, source)] = value;
    }
    return named;
  }

  /** `labelOf`: display name of a source of this node. */
  view(labelOf: (source: FigureSource) => string): readonly FigureSourceView[] {
    return kinds.flatMap(({ of, figures }) => {
      const known = [...this.owners].filter(
        ([series]) => seriesDefinition(series)?.source === of && !rareSeries.has(series),
      );
      const chosen = new Set(known.map(([, owner]) => owner));
      const others = new Set(known.flatMap(([series]) => [...(this.others.get(series) ?? [])]));
      const listed = (sources: ReadonlySet<FigureSource>): string[] =>
        figureSources.filter((source) => sources.has(source)).map(labelOf);
      if (chosen.size === 0) return [];
      return [{ of, figures, source: listed(chosen).join(', '), others: listed(others) }];
    });
  }

  private isOwner(series: SeriesId, source: FigureSource): boolean {
    // A server-specific figure has no other source.
    if (series.startsWith('server:')) return true;
    const owner = this.owners.get(series);
    if (owner === source) return true;
    if (owner === undefined || figureSources.indexOf(source) < figureSources.indexOf(owner)) {
      if (owner !== undefined) this.note(series, owner);
      this.owners.set(series, source);
      return true;
    }
    this.note(series, source);
    return false;
  }

  private note(series: SeriesId, other: FigureSource): void {
    const known = this.others.get(series);
    if (known) known.add(other);
    else this.others.set(series, new Set([other]));
  }
}
