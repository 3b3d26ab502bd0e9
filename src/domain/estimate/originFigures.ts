import type { JudgedRun } from '../evidence/evidence';
import { hostValuesOf } from '../node/hostValues';
import type { NodeView } from '../model/node';
import { percentile } from '../series/percentile';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';
import type { Point } from './line';
import type { OtherPrograms } from './otherPrograms';
import type { ResourceKind } from './resources';
import { pointsBySize, pointsOf, type Sizes } from './sizes';
import { median } from './statistics';

/** The run to read: active or saved. */
export type EstimatedRun = Pick<JudgedRun, 'view' | 'values'>;

/** With fewer pauses at a size there is no percentile. */
const minPauses = 5;

/** The median over all sizes. */
function usualOf(values: Values, { intervals }: Sizes): number | undefined {
  const points = pointsOf(values, intervals);
  return points.length > 0 ? median(points.map(({ value }) => value)) : undefined;
}

const nothingMeasured: Values = { timeMs: [], value: [] };

/** The figures of an origin in a run, from any source. */
export class OriginFigures {
  /** Names of testers on the origin's machine. */
  readonly sharedWith: readonly string[];

  constructor(
    private readonly run: EstimatedRun,
    private readonly origin: NodeView,
    private readonly testers: readonly NodeView[],
    private readonly programs: OtherPrograms,
  ) {
    this.sharedWith = testers.filter(({ host }) => host === origin.host).map(({ name }) => name);
  }

  points(kind: ResourceKind, sizes: Sizes): { series: SeriesId; points: Point[] } | undefined {
    const { intervals } = sizes;
    const { series, values } = this.figures(kind, sizes);
    if (values.timeMs.length === 0) return undefined;
    const p95 = (all: readonly number[]): number | undefined =>
      percentile(
        [...all].sort((a, b) => a - b),
        95,
      );
    const points =
      kind.id === 'gcPause' ? pointsBySize(values, intervals, p95, minPauses) : pointsOf(values, intervals);
    return { series, points };
  }

  notes(kind: ResourceKind): string[] {
    const shared = this.sharedWith.join(' and ');
    if (kind.ofHost && shared) return [`Same host as ${shared}: host figures include origin and audience.`];
    if (kind.id === 'gcPause') return ['Pauses depend on the heap more than on viewers: treat this as a trend.'];
    return [];
  }

  /** Host memory that is not used by the origin's process. */
  otherMemory(sizes: Sizes): number | undefined {
    const host = usualOf(this.ofHost('memoryUsedBytes'), sizes);
    const processMemory = this.usual('processMemoryBytes', sizes);
    return host === undefined || processMemory === undefined ? undefined : Math.max(0, host - processMemory);
  }

  /** All media ports of a WCS; they bound the number of viewers that can connect. */
  mediaPorts(sizes: Sizes): number | undefined {
    const busy = this.usual('server:ports_media_busy', sizes);
    const free = this.usual('server:ports_media_free', sizes);
    return busy === undefined || free === undefined ? undefined : Math.round(busy + free);
  }

  /** Viewers of the origin besides the test's own: their usual number and its variation. */
  others({ intervals }: Sizes): { readonly usual: number; readonly spread: number } | undefined {
    const counted = pointsOf(this.run.values(this.origin.id, 'originViewers'), intervals);
    if (counted.length === 0) return undefined;
    const beside = counted.map(({ value, viewers }) => value - viewers);
    return { usual: median(beside), spread: Math.max(...beside) - Math.min(...beside) };
  }

  private usual(series: SeriesId, sizes: Sizes): number | undefined {
    return usualOf(this.run.values(this.origin.id, series), sizes);
  }

  private figures({ id, series, ofHost }: ResourceKind, sizes: Sizes): { series: SeriesId; values: Values } {
    const valuesOf = (series: SeriesId): Values => this.run.values(this.origin.id, series);
    const shared = this.sharedWith.length > 0;
    if (id === 'hostCpu') return { series, values: this.programs.without(this.ofHost(series), sizes.intervals) };
    if (id === 'memory') return { series, values: this.hostMemory(sizes) };
    // Loopback also includes what the testers receive.
    if (id === 'bandwidth')
      return this.firstOf([
        ...(shared ? [] : [{ series, values: valuesOf(series) }]),
        { series: 'originOutMbps', values: valuesOf('originOutMbps') },
        { series: 'mediaInMbps', values: this.ofAudience('mediaInMbps') },
      ]);
    if (id === 'packets')
      return this.firstOf([
        { series, values: valuesOf(series) },
        { series: 'packetsPerSecond', values: this.ofAudience('packetsPerSecond') },
      ]);
    // The audience's own sockets are included.
    if (id === 'sockets') return { series, values: shared ? nothingMeasured : this.ofHost(series) };
    return { series, values: ofHost ? this.ofHost(series) : valuesOf(series) };
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

  /**
   * Memory of the host: that of the test's processes there, with what all else held on average, since what others
   * allocate meanwhile is no cost of viewers. As the host reports it where the origin's process is unknown.
   */
  private hostMemory(sizes: Sizes): Values {
    const host = this.ofHost('memoryUsedBytes');
    const processes = [this.origin, ...this.testers.filter((tester) => tester.host === this.origin.host)].map(
      ({ id }) => this.run.values(id, 'processMemoryBytes'),
    );
    if (host.timeMs.length === 0 || processes.some(({ timeMs }) => timeMs.length === 0)) return host;
    const processTotal = summed(processes);
    const others = (usualOf(host, sizes) ?? 0) - (usualOf(processTotal, sizes) ?? 0);
    return { timeMs: processTotal.timeMs, value: processTotal.value.map((bytes) => bytes + Math.max(0, others)) };
  }

  /** What all testers received in total, at the timestamps of the first of them. */
  private ofAudience(series: SeriesId): Values {
    return summed(this.testers.map(({ id }) => this.run.values(id, series)));
  }
}

/** At the timestamps of the first. */
function summed(all: readonly Values[]): Values {
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
