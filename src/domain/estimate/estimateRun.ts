import type { NodeView } from '../model/node';
import type { SeriesId } from '../series/series';
import { ceilingOf, earliest, perViewer, predict } from './ceiling';
import type { Estimate, ResourceEstimate, ResourceId } from './estimate';
import { amountText, estimateSentence, runNotes, sizesText } from './estimateText';
import { fitLine, spreadOf, type Point } from './line';
import { OriginFigures, type EstimatedRun } from './originFigures';
import { resourceKind, resourceKinds, type ResourceKind } from './resources';
import { minSizes, sizesOf, measuredSizes } from './sizes';
import { thresholdsOf } from './thresholds';

const minPoints = 5;
/** Minimum ratio of the largest to the smallest size: nearly equal sizes show no growth. */
const minReach = 1.5;
/** Beyond this multiple of the largest measured size, no ceiling is stated. */
const furthest = 100;
/** Resources for which a missing figure is explained. */
const wanted: readonly ResourceId[] = ['hostCpu', 'processCpu', 'memory', 'bandwidth'];

/**
 * Estimates a larger audience from a run of several sizes: the cost per viewer of each resource of the origin, and
 * where each reaches its threshold. `capacity` is an iperf3 result for the origin if the run has none. Pure; if no
 * estimate is possible, the sentence states why.
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
    return nothing('The run had audiences at several origins; their costs cannot be separated.');
  const testers = view.nodes.filter(
    ({ id, role }) => role === 'tester' && run.values(id, 'viewersConnected').timeMs.length > 0,
  );
  const counts = testers.map(({ id }) => ({ tester: id, values: run.values(id, 'viewersConnected') }));
  if (counts.length === 0) return nothing('No viewer connected, so there is nothing to estimate.');
  const sizes = sizesOf(view, counts, view.testerLimits ?? []);
  const seen = measuredSizes(sizes.intervals);
  const largest = seen.at(-1)?.viewers ?? 0;
  if (seen.length < minSizes || largest < minReach * (seen[0]?.viewers ?? 0))
    return { ...nothing(tooFew(seen, sizes.limitedMs)), sizes: seen, largest };

  const measured = new OriginFigures(run, origin, testers);
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
    const found = measured.points(kind, sizes);
    const estimate = found && resourceOf(kind, found.series, found.points, largest, thresholds[kind.id]);
    if (estimate) resources.push({ ...estimate, notes: [...measured.notes(kind), ...noiseNotes(estimate, largest)] });
    else if (wanted.includes(kind.id))
      unknown.push({
        id: kind.id,
        sentence: found
          ? `${kind.title}: too few samples to estimate its growth.`
          : `${kind.title}: not measured on ${origin.name}.`,
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
  const first = bottlenecks(resources);
  const whole = { ...estimate, ...(first && { ceiling: first }) };
  const others = measured.others(sizes);
  return { ...whole, sentence: estimateSentence(whole), notes: runNotes(whole, sizes, others) };
}

function tooFew(sizes: Estimate['sizes'], limitedMs: number): string {
  const reach = sizes.length < minSizes ? '' : `the largest at least ${minReach} times the smallest, `;
  const held = sizes.length === 0 ? 'none' : `${reach === '' ? 'only ' : ''}${sizesText({ sizes })}`;
  const without = limitedMs > 0 ? ` outside of ${Math.round(limitedMs / 1000)} s with testers at their own limit` : '';
  return `An estimate needs ${minSizes} different audience sizes, ${reach}each held for 10 s or more; this run held ${held}${without}.`;
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
  const ceiling = reached && reached.times <= furthest ? reached : undefined;
  const soonest = ceiling || !threshold ? undefined : earliest(line, threshold.value, largest);
  // It was not reached within the held sizes, so the interval starts beyond them.
  const notBefore = soonest !== undefined && soonest > largest ? Math.min(soonest, furthest * largest) : undefined;
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

/** The lowest ceiling. Its interval ranges from the lowest of all lower ends to the lowest of all upper ends. */
function bottlenecks(resources: readonly ResourceEstimate[]): Estimate['ceiling'] {
  const found = resources.flatMap(({ id, ceiling }) =>
    ceiling && resourceKind(id).decides ? [{ ...ceiling, resource: id }] : [],
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
