import type { NodeView } from '../node';
import { percentile } from '../percentile';
import type { JudgedRun } from '../judged';
import type { SeriesId } from '../series';
import type { Values } from '../windows';
import { ceilingOf, earliest, perViewer, predict } from './ceiling';
import type { Estimate, ResourceEstimate, ResourceId } from './estimate';
import { estimateSentence, runNotes } from './estimateText';
import { fitLine, type Point } from './line';
import { resourceKinds, type ResourceKind } from './resources';
import { leastSizes, pointsBySize, pointsOf, sizesOf, sizesSeen, type Sizes } from './sizes';
import { median } from './statistics';
import { thresholdsOf } from './thresholds';

/** A run to be read: under way or kept. */
export type EstimatedRun = Pick<JudgedRun, 'view' | 'values'>;

const leastPoints = 6;
const leastPauses = 5;
/** The largest size has to be so many times the smallest: two sizes that are nearly one say nothing of growth. */
const leastReach = 1.5;
/** Resources of which it is told why there is no figure. */
const wanted: readonly ResourceId[] = ['hostCpu', 'processCpu', 'memory', 'bandwidth'];

/**
 * What a run of several sizes says of a larger audience: cost per viewer of each resource of the origin, and where each reaches its threshold.
 * `capacity` is what iperf3 measured of the origin, where the run does not know it. Pure; a run of which nothing can be told says why in its sentence.
 */
export function estimateRun(run: EstimatedRun, capacity?: NodeView['capacity']): Estimate {
  const { view } = run;
  const { from } = view.plan.pull;
  const origin = view.nodes.find(({ role, id, name }) => role === 'origin' && (id === from || name === from));
  const nothing = (sentence: string): Estimate => ({
    run: view.id,
    name: view.name,
    origin: origin?.name ?? from,
    sizes: [],
    largest: 0,
    machine: { sharedWith: [] },
    resources: [],
    unknown: [],
    sentence,
    notes: [],
  });
  if (!origin) return nothing(`The run has no origin ${from}, so there is nothing to estimate.`);
  if (view.plan.also?.some((pull) => pull.from !== from))
    return nothing('The run had audiences at several origins; what each cost can’t be told apart.');
  const testers = view.nodes.filter(
    ({ id, role }) => role === 'tester' && run.values(id, 'viewersConnected').timeMs.length > 0,
  );
  const counts = testers.map(({ id }) => ({ tester: id, values: run.values(id, 'viewersConnected') }));
  if (counts.length === 0) return nothing('No viewer was ever connected, so there is nothing to estimate.');
  const sizes = sizesOf(view, counts, view.testerLimits ?? []);
  const seen = sizesSeen(sizes.stretches);
  const largest = seen.at(-1)?.viewers ?? 0;
  if (seen.length < leastSizes || largest < leastReach * (seen[0]?.viewers ?? 0))
    return { ...nothing(tooFew(seen.map(({ viewers }) => viewers))), sizes: seen, largest };

  const measured = new OriginFigures(run, origin, testers);
  const machine = {
    cores: origin.machine?.cores,
    memoryBytes: origin.machine?.memoryBytes,
    openFilesLimit: origin.machine?.openFilesLimit,
    capacity: origin.capacity ?? capacity,
    otherMemoryBytes: measured.otherMemory(sizes),
  };
  const thresholds = thresholdsOf(view.plan, machine);
  const resources: ResourceEstimate[] = [];
  const unknown: Array<Estimate['unknown'][number]> = [];
  for (const kind of resourceKinds) {
    const found = measured.points(kind, sizes);
    const estimate = found && resourceOf(kind, found.series, found.points, largest, thresholds[kind.id]);
    if (estimate) resources.push({ ...estimate, notes: measured.notes(kind) });
    else if (wanted.includes(kind.id))
      unknown.push({
        id: kind.id,
        sentence: found
          ? `${kind.title}: too few samples to tell its growth.`
          : `${kind.title}: not measured of ${origin.name}.`,
      });
  }
  const estimate: Estimate = {
    run: view.id,
    name: view.name,
    origin: origin.name,
    sizes: seen,
    largest,
    machine: {
      cores: machine.cores,
      memoryBytes: machine.memoryBytes,
      capacityMbps: machine.capacity?.mbps,
      sharedWith: measured.sharedWith,
    },
    resources,
    unknown,
    sentence: '',
    notes: [],
  };
  const first = firstToGiveOut(resources);
  const whole = { ...estimate, ...(first && { ceiling: first }) };
  const others = measured.others(sizes);
  return { ...whole, sentence: estimateSentence(whole), notes: runNotes(whole, sizes, others) };
}

function tooFew(sizes: readonly number[]): string {
  const held =
    sizes.length === 0 ? 'no size' : `only ${sizes.map((each) => Math.round(each)).join(', ')} viewers`;
  return `An estimate needs ${leastSizes} sizes of the audience that differ, each held for 10 s or more; this run held ${held}.`;
}

function resourceOf(
  { id }: ResourceKind,
  series: SeriesId,
  points: readonly Point[],
  largest: number,
  threshold: ResourceEstimate['threshold'],
): Omit<ResourceEstimate, 'notes'> | undefined {
  const isFigureOfSizes = id === 'gcPause';
  const sizes = new Set(points.map(({ viewers }) => viewers)).size;
  if (sizes < leastSizes || (!isFigureOfSizes && points.length < leastPoints)) return undefined;
  const line = fitLine(points);
  if (!line) return undefined;
  const growth = perViewer(line);
  const isRising = growth.low > 0;
  const ceiling = isRising && threshold ? ceilingOf(line, threshold.value, largest) : undefined;
  const notBefore = !isRising && threshold ? earliest(line, threshold.value, largest) : undefined;
  return {
    id,
    series,
    points,
    line,
    perViewer: growth,
    idle: predict({ ...line, scatter: 0 }, 0, largest),
    isRising,
    ...(threshold && { threshold }),
    ...(ceiling && { ceiling }),
    ...(notBefore !== undefined && { notBefore }),
  };
}

/** The lowest ceiling. The true one is the lowest of all, so its interval reaches from the lowest of the lower ends to the lowest of the upper. */
function firstToGiveOut(resources: readonly ResourceEstimate[]): Estimate['ceiling'] {
  const found = resources.flatMap(({ id, ceiling }) =>
    ceiling && resourceKinds.find((each) => each.id === id)?.decides ? [{ ...ceiling, resource: id }] : [],
  );
  const [first] = [...found].sort((a, b) => a.value - b.value);
  if (!first) return undefined;
  const highs = found.flatMap(({ high }) => high ?? []);
  return {
    ...first,
    low: Math.min(...found.map(({ low }) => low)),
    ...(highs.length > 0 && { high: Math.min(...highs) }),
  };
}

const nothingMeasured: Values = { timeMs: [], value: [] };

/** The figures of an origin in a run, wherever they were measured. */
class OriginFigures {
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
      return [`${shared} runs on the same machine: this counts origin and audience together.`];
    if (kind.id === 'gcPause')
      return ['Pauses follow the heap rather than the viewers: read this as a tendency.'];
    return [];
  }

  /** Memory of the host that is not the origin's process's. */
  otherMemory(sizes: Sizes): number | undefined {
    const usual = (values: Values): number | undefined => {
      const points = pointsOf(values, sizes.stretches);
      return points.length > 0 ? median(points.map(({ value }) => value)) : undefined;
    };
    const host = usual(this.ofHost('memoryUsedBytes'));
    const own = usual(this.run.values(this.origin.id, 'processMemoryBytes'));
    return host === undefined || own === undefined ? undefined : Math.max(0, host - own);
  }

  /** Viewers that the origin had beside ours: their usual number and how far it went up and down. */
  others({ stretches }: Sizes): { readonly usual: number; readonly spread: number } | undefined {
    const counted = pointsOf(this.run.values(this.origin.id, 'originViewers'), stretches);
    if (counted.length === 0) return undefined;
    const beside = counted.map(({ value, viewers }) => value - viewers);
    return { usual: median(beside), spread: Math.max(...beside) - Math.min(...beside) };
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

  /** Figures of a host, which may have been sampled under the name of another node on it. */
  private ofHost(series: SeriesId): Values {
    const nodes = [this.origin, ...this.run.view.nodes.filter(({ host }) => host === this.origin.host)];
    const found = nodes.map(({ id }) => this.run.values(id, series));
    return found.find(({ timeMs }) => timeMs.length > 0) ?? nothingMeasured;
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
