import type { JudgedRun } from '../verdict/judged';
import { hostValuesOf } from '../hostValues';
import type { NodeView } from '../node';
import { percentile } from '../percentile';
import type { SeriesId } from '../series';
import type { Values } from '../windows';
import type { Point } from './line';
import type { ResourceKind } from './resources';
import { pointsBySize, pointsOf, type Sizes } from './sizes';
import { median } from './statistics';

/** A run to be read: under way or kept. */
export type EstimatedRun = Pick<JudgedRun, 'view' | 'values'>;

/** Fewer pauses than these at a size have no percentile. */
const leastPauses = 5;

/** The median over all sizes. */
function usualOf(values: Values, { stretches }: Sizes): number | undefined {
  const points = pointsOf(values, stretches);
  return points.length > 0 ? median(points.map(({ value }) => value)) : undefined;
}

const nothingMeasured: Values = { timeMs: [], value: [] };

/** The figures of an origin in a run, wherever they were measured. */
export class OriginFigures {
  /** Names of testers on the origin's machine. */
  readonly sharedWith: readonly string[];

  constructor(
    private readonly run: EstimatedRun,
    private readonly origin: NodeView,
    private readonly testers: readonly NodeView[],
  ) {
    this.sharedWith = testers.filter(({ host }) => host === origin.host).map(({ name }) => name);
  }

  points(kind: ResourceKind, { stretches }: Sizes): { series: SeriesId; points: Point[] } | undefined {
    const { series, values } = this.figures(kind);
    if (values.timeMs.length === 0) return undefined;
    const p95 = (all: readonly number[]): number | undefined =>
      percentile(
        [...all].sort((a, b) => a - b),
        95,
      );
    const points =
      kind.id === 'gcPause' ? pointsBySize(values, stretches, p95, leastPauses) : pointsOf(values, stretches);
    return { series, points };
  }

  notes(kind: ResourceKind): string[] {
    const shared = this.sharedWith.join(' and ');
    if (kind.ofHost && shared)
      return [`Same host as ${shared}: figures of the host count origin and audience together.`];
    if (kind.id === 'gcPause')
      return ['Pauses follow the heap rather than the viewers: read this as a tendency.'];
    return [];
  }

  /** Memory of the host that is not the origin's process's. */
  otherMemory(sizes: Sizes): number | undefined {
    const host = usualOf(this.ofHost('memoryUsedBytes'), sizes);
    const own = this.usual('processMemoryBytes', sizes);
    return host === undefined || own === undefined ? undefined : Math.max(0, host - own);
  }

  /** All ports that a WCS has for media; the field's own first question when only so many can connect. */
  mediaPorts(sizes: Sizes): number | undefined {
    const busy = this.usual('server:ports_media_busy', sizes);
    const free = this.usual('server:ports_media_free', sizes);
    return busy === undefined || free === undefined ? undefined : Math.round(busy + free);
  }

  /** Viewers that the origin had beside ours: their usual number and how far it went up and down. */
  others({ stretches }: Sizes): { readonly usual: number; readonly spread: number } | undefined {
    const counted = pointsOf(this.run.values(this.origin.id, 'originViewers'), stretches);
    if (counted.length === 0) return undefined;
    const beside = counted.map(({ value, viewers }) => value - viewers);
    return { usual: median(beside), spread: Math.max(...beside) - Math.min(...beside) };
  }

  private usual(series: SeriesId, sizes: Sizes): number | undefined {
    return usualOf(this.run.values(this.origin.id, series), sizes);
  }

  private figures({ id, series, ofHost }: ResourceKind): { series: SeriesId; values: Values } {
    const own = (each: SeriesId): Values => this.run.values(this.origin.id, each);
    const shared = this.sharedWith.length > 0;
    // Loopback carries what the testers receive as well.
    if (id === 'bandwidth')
      return this.firstOf([
        ...(shared ? [] : [{ series, values: own(series) }]),
        { series: 'originOutMbps', values: own('originOutMbps') },
        { series: 'mediaInMbps', values: this.ofAudience('mediaInMbps') },
      ]);
    if (id === 'packets')
      return this.firstOf([
        { series, values: own(series) },
        { series: 'packetsPerSecond', values: this.ofAudience('packetsPerSecond') },
      ]);
    // The audience's own sockets are among them.
    if (id === 'sockets') return { series, values: shared ? nothingMeasured : this.ofHost(series) };
    return { series, values: ofHost ? this.ofHost(series) : own(series) };
  }

  private firstOf(all: ReadonlyArray<{ series: SeriesId; values: Values }>): {
    series: SeriesId;
    values: Values;
  } {
    const empty = { series: all[0]?.series ?? 'networkOutMbps', values: nothingMeasured } as const;
    return all.find(({ values }) => values.timeMs.length > 0) ?? empty;
  }

  private ofHost(series: SeriesId): Values {
    const { view, values } = this.run;
    return hostValuesOf({ nodes: view.nodes, values }, this.origin, series);
  }

  /** What all testers received together, at the moments of the first of them. */
  private ofAudience(series: SeriesId): Values {
    const all = this.testers.map(({ id }) => this.run.values(id, series));
    const [first = nothingMeasured, ...rest] = all;
    const places = rest.map(() => 0);
    const value = first.timeMs.map((timeMs, at) =>
      rest.reduce((sum, values, i) => {
        let place = places[i] ?? 0;
        while ((values.timeMs[place + 1] ?? Infinity) <= timeMs) place += 1;
        places[i] = place;
        return sum + (values.value[place] ?? 0);
      }, first.value[at] ?? 0),
    );
    return { timeMs: first.timeMs, value };
  }
}
