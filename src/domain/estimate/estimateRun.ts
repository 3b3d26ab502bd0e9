import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';
import { firstOrigin, publishesOnly } from '../model/publisherGroup';
import type { RunView } from '../model/run';
import { stopReachedText } from '../evidence/evidence';
import { ceilingOf, earliest, isVague, perViewer, predict } from './ceiling';
import type { Estimate, ResourceEstimate, ResourceId } from './estimate';
import { amountText, ceilingText, estimateSentence, runNotes, sizesText } from './estimateText';
import { fitLine, spreadOf, type FittedLine, type Point } from './line';
import { OriginFigures, type EstimatedRun } from './originFigures';
import { OtherPrograms } from './otherPrograms';
import { resourceKind, resourceKinds, type ResourceKind } from './resources';
import { minSizes, sizesOf, measuredSizes, type Sizes } from './sizes';
import { thresholdsOf } from './thresholds';

const minPoints = 5;
/** Minimum ratio of the largest to the smallest size: nearly equal sizes show no growth. */
const minReach = 1.5;
/** Beyond this multiple of the largest measured size, no ceiling is stated. */
const furthest = 100;
/** Resources for which a missing figure is explained. */
const requiredResources: readonly ResourceId[] = ['hostCpu', 'processCpu', 'memory', 'bandwidth'];

/**
 * Estimates a larger audience from a run of several sizes: the cost per viewer of each resource of the origin, and
 * where each reaches its threshold. `capacity` is an iperf3 result for the origin if the run has none. Pure; if no
 * estimate is possible, the sentence states why.
 */
export function estimateRun(run: EstimatedRun, capacity?: NodeView['capacity']): Estimate {
  const { view } = run;
  const from = firstOrigin(view.plan);
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
  if (publishesOnly(view.plan))
    return nothing('The run had publishers only; an estimate is of the cost of each viewer.');
  if (!origin) return nothing(`The run has no origin ${from}, so there is nothing to estimate.`);
  if (view.plan.also?.some((pull) => pull.from !== from))
    return nothing('The run had audiences at several origins; their costs cannot be separated.');
  const testers = view.nodes.filter(
    ({ id, role }) => role === 'tester' && run.values(id, 'viewersConnected').timeMs.length > 0,
  );
  const counts = testers.map(({ id }) => ({ tester: id, values: run.values(id, 'viewersConnected') }));
  if (counts.length === 0) return nothing('No viewer connected, so there is nothing to estimate.');
  const others = new OtherPrograms(run, origin, testers);
  const sizes = sizesOf(view, counts, view.testerLimits ?? [], (timeMs) => others.isBusyAt(timeMs));
  const used = othersOf(others, sizes);
  const stopped = stoppedEarly(view);
  const facts = { ...(used && { otherPrograms: used }), ...(stopped !== undefined && { stopped }) };
  const sizesMeasured = measuredSizes(sizes.intervals);
  const largest = sizesMeasured.at(-1)?.viewers ?? 0;
  if (sizesMeasured.length < minSizes || largest < minReach * (sizesMeasured[0]?.viewers ?? 0))
    return {
      ...nothing(tooFew(sizesMeasured, sizes, used?.sentence, stopped)),
      ...facts,
      sizes: sizesMeasured,
      largest,
    };

  const measured = new OriginFigures(run, origin, testers, others);
  const machine = {
    cores: origin.machine?.cores,
    memoryBytes: origin.machine?.memoryBytes,
    openFilesLimit: origin.machine?.openFilesLimit,
    capacity: origin.capacity ?? capacity,
    otherMemoryBytes: measured.otherMemory(sizes),
    mediaPorts: measured.mediaPorts(sizes),
  };
  const thresholds = thresholdsOf(view.plan, machine);
  const resources: ResourceEstimate[] = [];
  const unknown: Array<Estimate['unknown'][number]> = [];
  for (const kind of resourceKinds) {
    const points = measured.points(kind, sizes);
    const estimate = points && resourceOf(kind, points.series, points.points, largest, thresholds[kind.id]);
    if (estimate)
      resources.push({
        ...estimate,
        notes: [...measured.notes(kind), ...noiseNotes(estimate, largest), ...vagueNotes(estimate)],
      });
    else if (requiredResources.includes(kind.id))
      unknown.push({
        id: kind.id,
        sentence: points
          ? `${kind.title}: too few samples to estimate its growth.`
          : `${kind.title}: not measured on ${origin.name}.`,
      });
  }
  const estimate: Estimate = {
    run: view.id,
    name: view.name,
    origin: origin.name,
    sizes: sizesMeasured,
    largest,
    machine: {
      cores: machine.cores,
      memoryBytes: machine.memoryBytes,
      capacityMbps: machine.capacity?.mbps,
      sharedWith: measured.sharedWith,
    },
    resources,
    unknown,
    ...facts,
    sentence: '',
    notes: [],
  };
  const first = bottlenecks(resources);
  const whole = { ...estimate, ...(first && { ceiling: first }) };
  return { ...whole, sentence: estimateSentence(whole), notes: runNotes(whole, sizes, measured.others(sizes)) };
}

/** What other programs used while sizes were held; of a run that has too few left, of the whole time. */
function othersOf(others: OtherPrograms, sizes: Sizes): Estimate['otherPrograms'] {
  const excludedSeconds = Math.round(sizes.busyMs / 1000);
  const used = others.usedOver(sizes.intervals);
  const busy = excludedSeconds > 0 ? others.busySentence() : undefined;
  const sentence = busy ?? used?.sentence;
  return sentence === undefined ? undefined : { cpuPercent: used?.percent ?? 0, excludedSeconds, sentence };
}

/** Why a run ended before its planned end. */
function stoppedEarly({ verdict }: RunView): string | undefined {
  if (verdict?.verdict === 'stopped') return verdict.sentence;
  return verdict?.reasons.find(({ sentence }) => sentence.startsWith(stopReachedText))?.sentence;
}

function tooFew(
  sizes: Estimate['sizes'],
  { limitedMs, busyMs }: Sizes,
  busy: string | undefined,
  stopped: string | undefined,
): string {
  const reach = sizes.length < minSizes ? '' : `the largest at least ${minReach} times the smallest, `;
  const held = sizes.length === 0 ? 'none' : `${reach === '' ? 'only ' : ''}${sizesText({ sizes })}`;
  const without = [
    ...(limitedMs > 0 ? [`${Math.round(limitedMs / 1000)} s with testers at their own limit`] : []),
    ...(busyMs > 0 ? [`${Math.round(busyMs / 1000)} s on a busy machine`] : []),
  ].join(' and ');
  return [
    `An estimate needs ${minSizes} different audience sizes, ${reach}each held for 10 s or more; this run held ${held}${without && ` outside of ${without}`}.`,
    ...(busyMs > 0 && busy !== undefined ? [`${busy}.`] : []),
    ...(stopped === undefined ? [] : [stopped]),
  ].join(' ');
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
  if (sizes < minSizes || (!isFigureOfSizes && points.length < minPoints)) return undefined;
  const line = fitLine(points);
  if (!line) return undefined;
  const growth = perViewer(line);
  const isRising = growth.low > 0;
  const reached = isRising && threshold ? ceilingOf(line, threshold.value, largest) : undefined;
  const near = reached && reached.times <= furthest ? reached : undefined;
  const ceiling = near && isVague(near) ? undefined : near;
  const soonest = ceiling || !threshold ? undefined : earliest(line, threshold.value, largest);
  // It was not reached within the held sizes, so the interval starts beyond them.
  const notBefore = soonest !== undefined && soonest > largest ? Math.min(soonest, furthest * largest) : undefined;
  return {
    id,
    series,
    points,
    line,
    perViewer: growth,
    idle: atNoViewers(id, line, largest),
    isRising,
    ...(threshold && { threshold }),
    ...(ceiling && { ceiling }),
    ...(near && !ceiling && { vague: near }),
    ...(notBefore !== undefined && { notBefore }),
  };
}

/** No resource is used by less than nothing, and no CPU by more than all of it. */
function atNoViewers(id: ResourceId, line: FittedLine, largest: number): ResourceEstimate['idle'] {
  const { value, low, high } = predict({ ...line, scatter: 0 }, 0, largest);
  const most = id === 'hostCpu' ? 100 : Infinity;
  const within = (each: number): number => Math.min(most, Math.max(0, each));
  return { value: within(value), low: within(low), high: within(high) };
}

function vagueNotes({ id, vague }: Omit<ResourceEstimate, 'notes'>): string[] {
  if (!vague) return [];
  return [
    `${resourceKind(id).title}: not enough data: ${ceilingText(vague)}, an interval wider than its value. Hold more or larger sizes, or measure for longer.`,
  ];
}

/** A figure whose variation exceeds the distance to its threshold. */
function noiseNotes(
  { id, isRising, threshold, line, points }: Omit<ResourceEstimate, 'notes'>,
  largest: number,
): string[] {
  if (isRising || !threshold || predict(line, largest, largest).high < threshold.value) return [];
  const { title } = resourceKind(id);
  return [
    `${title} varies by ${amountText(id, spreadOf(points, line))} independently of the viewers, so it cannot be estimated.`,
  ];
}

/**
 * The lowest ceiling. Its interval ranges from the lowest of all lower ends, also of resources whose own ceiling is too
 * vague, to the lowest of all upper ends. None if that is wider than the value.
 */
function bottlenecks(resources: readonly ResourceEstimate[]): Estimate['ceiling'] {
  const deciding = resources.filter(({ id }) => resourceKind(id).decides);
  const ceilings = deciding.flatMap(({ id, ceiling }) => (ceiling ? [{ ...ceiling, resource: id }] : []));
  const [first] = [...ceilings].sort((a, b) => a.value - b.value);
  if (!first) return undefined;
  const highs = ceilings.flatMap(({ high }) => high ?? []);
  const vague = deciding.flatMap((resource) => resource.vague ?? []).filter(({ value }) => value < first.value);
  const whole = {
    ...first,
    low: Math.min(...[...ceilings, ...vague].map(({ low }) => low)),
    ...(highs.length > 0 && { high: Math.min(...highs) }),
  };
  return isVague(whole) ? undefined : whole;
}
