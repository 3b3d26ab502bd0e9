import { failedAt } from '../failure/causes';
import { describeExpectation } from '../plan/expectationText';
import type { NodeView } from '../model/node';
import { traitsOf } from '../model/serverFamilies';
import { silentGcLog, silentHostSource } from '../model/silentSource';
import { formatFigure, formatCount, formatTenths, formatViewers } from '../text/numberFormat';
import { takenPercent, type OtherShare } from '../model/otherLoad';
import type { Expectation, ExpectationId } from '../model/plan';
import type { FailureGroup, TesterLimit } from '../model/run';
import { formatRunTime } from '../text/timeFormat';
import { hostLoads } from './busyHosts';
import type { Finding, Judged, Influence } from '../evidence/evidence';
import { connectedAt, hostValues, judgedValues } from '../evidence/evidenceValues';
import { testersOnHost } from './sharedHost';
import { RangeSums, windowEnds } from '../series/windows';

/** A spike of a second does no harm; one of five seconds does. */
export const windowMs = 5000;
/** Minimum number of samples in a window. */
const minInWindow = 3;
/** During ramp-up one viewer is a large share of few: the share is taken of at least this part of the target. */
export const minShareOfTarget = 0.1;
/** Viewers start to disconnect as the hold ends; those connected shortly before it count. */
export const endOfHoldMs = 3000;

/** The run time of a timestamp. */
export function at({ time }: Judged, timeMs: number): string {
  return formatRunTime(timeMs - time.runStartMs);
}

export function expected(id: ExpectationId, expectation: Expectation): string {
  return `expected ${describeExpectation(id, expectation)}`;
}

export function isMet({ comparison, value }: Pick<Expectation, 'comparison' | 'value'>, measured: number): boolean {
  return comparison === '>=' ? measured >= value : measured <= value;
}

/** An expectation that could not be judged; a default that the plan does not state then decides nothing. */
export function missing(judged: Judged, id: ExpectationId, expectation: Expectation, sentence: string): Finding {
  return {
    result: expectation.ifMeasured ? 'skipped' : 'missing',
    expectation: id,
    sentence,
    expected: expected(id, expectation),
    timeMs: judged.time.fromMs,
  };
}

/** Degraded viewers in one window, as means. */
export interface DegradedWindow {
  readonly endMs: number;
  readonly viewing: number;
  readonly affected: number;
  readonly percent: number;
  /** Fewer were connected than the part of all viewers that the share is at least taken of. */
  readonly isOfLeast: boolean;
}

/** `7.6 of 50 viewers, 15.2 %`: means of one window, so that the share is that of its parts. */
export const shareText = ({ affected, viewing, percent, isOfLeast }: DegradedWindow): string =>
  `${formatTenths(affected)} of ${formatTenths(viewing)} viewers${isOfLeast ? ' (a tenth of all)' : ''}, ${formatTenths(percent)} %`;

/** The share of degraded viewers: of those connected, but of at least a tenth of all. */
export function degradedWindow(endMs: number, affected: number, connected: number, least: number): DegradedWindow {
  const viewing = Math.max(connected, least);
  const percent = viewing > 0 ? (100 * affected) / viewing : 0;
  return { endMs, viewing, affected, percent, isOfLeast: least > connected };
}

function times(measured: number): string {
  return measured === 1 ? 'only once' : `only ${formatCount(measured)} times`;
}

/** The highest CPU of an origin's host, as the mean over 5 s. */
export function judgeCpu(
  judged: Judged,
  expectation: Expectation,
  origin: NodeView,
  limits: readonly TesterLimit[] = [],
): Finding {
  const { time, testers } = judged;
  const values = hostValues(judged, origin, 'cpuPercent');
  const sums = new RangeSums(values);
  const windows = windowEnds(time.fromMs, time.toMs, windowMs)
    .map((endMs) => ({ endMs, ...sums.mean(endMs - windowMs, endMs) }))
    .filter((window) => window.count >= minInWindow);
  const seconds = (time.toMs - time.fromMs) / 1000;
  const overs = windows.filter((each) => !isMet(expectation, each.mean));
  const [first] = windows;
  const isSparse = values.timeMs.length < seconds / 2;
  // Few measurements may still show that the limit was exceeded; an expectation of the plan itself needs all of them.
  if (!first || (isSparse && !(expectation.ifMeasured && overs.length > 0)))
    return {
      ...missing(judged, 'cpu', expectation, noCpuSentence(origin, values.timeMs.length, seconds, expectation)),
      node: origin.id,
    };
  const { certain, invalidatedBy, others } = splitCpu(judged, origin, expectation, overs, limits);
  const relevant = certain.length > 0 ? certain : windows;
  const worst = relevant.reduce((most, window) => (window.mean > most.mean ? window : most));
  const over = certain[0] ?? overs[0];
  const shared = testers.filter((tester) => tester.host === origin.host).map((tester) => tester.name);
  const both = shared.length > 0 ? `; same host as ${shared.join(' and ')}` : '';
  const most = `${formatTenths(worst.mean)} % over 5 s`;
  return {
    result: over ? 'failed' : 'met',
    expectation: 'cpu',
    sentence: others
      ? `CPU of the machine of ${origin.name} was at ${most} at ${at(judged, worst.endMs)}, ${formatTenths(Math.max(0, worst.mean - takenPercent(others)))} % without other programs${both}.`
      : over
        ? `CPU of ${origin.name} exceeded its limit at ${at(judged, over.endMs)} with ${formatViewers(connectedAt(judged, over.endMs))}, reaching ${most} at ${at(judged, worst.endMs)}${both}.`
        : `CPU of ${origin.name}: max ${most}, limit ${expectation.value} %${both}.`,
    expected: expected('cpu', expectation),
    timeMs: (over ?? worst).endMs,
    node: origin.id,
    measured: worst.mean,
    invalidatedBy,
  };
}

interface CpuWindow {
  readonly endMs: number;
  readonly mean: number;
}

/**
 * The windows over the limit by cause: `certain` are those over it even without other programs and without the testers
 * on the host. `others` is what other programs used in the worst window, if they alone explain all of them.
 */
function splitCpu(
  judged: Judged,
  origin: NodeView,
  expectation: Expectation,
  overs: readonly CpuWindow[],
  limits: readonly TesterLimit[],
): {
  readonly certain: readonly CpuWindow[];
  readonly invalidatedBy: readonly Influence[];
  readonly others?: OtherShare | undefined;
} {
  const loads = hostLoads(judged);
  const shares = new Map(overs.map((each) => [each, loads.busyOver(origin, each.endMs - windowMs, each.endMs)]));
  const taken = (window: CpuWindow): number => {
    const share = shares.get(window);
    return share ? takenPercent(share) : 0;
  };
  const [worst] = [...overs].sort((a, b) => taken(b) - taken(a));
  const share = worst && shares.get(worst);
  const busy = worst && share ? [loads.influence(origin, worst.endMs, share)] : [];
  const left = overs.filter((each) => !isMet(expectation, each.mean - taken(each)));
  if (left.length === 0) return { certain: [], invalidatedBy: busy, others: share };
  const testers = testersOnHost(
    judged,
    origin,
    expectation,
    left.map((window) => ({ ...window, mean: window.mean - taken(window) })),
    limits,
  );
  return testers.length > 0
    ? { certain: [], invalidatedBy: [...busy, ...testers] }
    : { certain: left, invalidatedBy: [] };
}

function noCpuSentence(origin: NodeView, measured: number, seconds: number, { ifMeasured }: Expectation): string {
  const { name } = origin;
  if (measured > 0) return `CPU of ${name} was measured ${times(measured)} in ${formatCount(Math.round(seconds))} s.`;
  const silent = silentHostSource(origin);
  if (silent !== undefined)
    return ifMeasured
      ? `CPU of ${name} not measured: ${silent}.`
      : `No CPU data from ${name} (${formatCount(Math.round(seconds))} s): ${silent}.`;
  return ifMeasured
    ? `CPU not measured: add SSH or node_exporter to ${name}.`
    : `No CPU data from ${name} (${formatCount(Math.round(seconds))} s): add SSH or node_exporter.`;
}

/** A LiveKit reports its own pauses; other servers need a JVM GC log. */
function gcFix({ server }: NodeView): string {
  return server === 'livekit' ? 'the address of its metrics' : 'a GC log';
}

/** The longest pause of an origin's garbage collector: a single one affects all viewers. */
export function judgeGcPause(judged: Judged, expectation: Expectation, origin: NodeView): Finding {
  const { time } = judged;
  const { timeMs, value } = judgedValues(judged, origin.id, 'gcPauseMs');
  const inapplicable = (sentence: string): Finding => ({
    ...missing(judged, 'gcPause', expectation, sentence),
    result: 'inapplicable',
    node: origin.id,
  });
  if (traitsOf(origin.server).hasNoCollector)
    return inapplicable(`${origin.name} has no garbage collector, so GC pauses were not judged.`);
  const silent = silentGcLog(origin);
  // A second without a pause differs from a second without data only if the source reports continuously; the lab always
  // does.
  const isObserved =
    (origin.gcSource !== undefined && silent === undefined) ||
    (origin.server === 'lab' && judgedValues(judged, origin.id, 'processCpuPercent').timeMs.length > 0);
  if (timeMs.length === 0)
    return isObserved
      ? inapplicable(`No GC pause of ${origin.name} was recorded during the run.`)
      : missing(
          judged,
          'gcPause',
          expectation,
          silent !== undefined
            ? `GC pauses of ${origin.name} not measured: ${silent}.`
            : expectation.ifMeasured
              ? `GC pauses not measured: add ${gcFix(origin)} to ${origin.name}.`
              : `The garbage collector of ${origin.name} can't be observed; set "gcPause: off" if it has none.`,
        );
  const loads = hostLoads(judged);
  const overs = value.flatMap((reading, place) => (isMet(expectation, reading) ? [] : [place]));
  const waited = (place: number): OtherShare | undefined =>
    loads.waitExplains(origin, timeMs[place] ?? 0, (value[place] ?? 0) - expectation.value);
  const certain = overs.filter((place) => !waited(place));
  const over = certain[0] ?? overs[0] ?? -1;
  const others = certain.length === 0 && over >= 0 ? waited(over) : undefined;
  const relevant = certain.length > 0 ? certain.map((place) => value[place] ?? 0) : value;
  const longest = relevant.reduce((most, reading) => Math.max(most, reading), 0);
  const pause = `${formatFigure(longest, 'adaptive')} ms`;
  const overMs = timeMs[over] ?? time.fromMs;
  return {
    result: over >= 0 ? 'failed' : 'met',
    expectation: 'gcPause',
    sentence:
      over >= 0
        ? `The garbage collector paused ${origin.name} for up to ${pause}, first over the limit at ${at(judged, overMs)}.`
        : `GC pauses of ${origin.name}: max ${pause}, limit ${expectation.value} ms.`,
    expected: expected('gcPause', expectation),
    timeMs: overMs,
    node: origin.id,
    measured: longest,
    invalidatedBy: others ? [loads.influence(origin, overMs, others)] : [],
  };
}

/** The most frequent failure, as a further sentence. */
export function failureReason(failures: readonly FailureGroup[]): string {
  const [worst] = [...failures].sort((a, b) => b.count - a.count);
  return worst ? ` ${formatViewers(worst.count)} failed at ${failedAt(worst)}.` : '';
}
