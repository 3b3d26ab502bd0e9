import { silentGcLog, silentHostSource } from '../model/silentSource';
import { describeExpectation } from '../plan/expectationText';
import { hostValuesOf } from '../node/hostValues';
import type { NodeView } from '../model/node';
import type { NamedAudience } from '../plan/audiences';
import { traitsOf } from '../model/serverFamilies';
import { formatFigure, formatCount, formatTenths } from '../text/numberFormat';
import type { Expectation, ExpectationId, SeriesThreshold } from '../model/plan';
import { clientsOf, ofServer } from '../model/publisherGroup';
import { asSentence } from '../text/sentence';
import { seriesDefinition } from '../series/series';
import { isRefusal, isServerCause } from '../failure/attribution';
import { failedAt } from '../failure/causes';
import { between, type Values } from '../series/windows';
import { isFigureOfViewers } from '../series/viewerFigures';
import { busyForViewers, cpuOfOthers, pauseByOthers } from './trialOtherLoad';
import type { Influence } from '../evidence/evidence';
import { meanOf, originOf, testersOf, type TrialInput } from './trialInput';

/** The result of one expectation in a trial. */
export interface TrialFinding {
  readonly result: 'met' | 'missed' | 'missing';
  /** A complete sentence with its figures. */
  readonly sentence: string;
  /** The finding within a sentence about met expectations; absent if there is nothing to report. */
  readonly words?: string;
  /** 1 is at the limit, more is missed. */
  readonly nearness: number;
  readonly isClose?: boolean;
  /** The machine that was busy with other programs, without which the expectation would or might have been met. */
  readonly invalidatedBy?: Influence;
  /** A viewer metric: if a tester was at its own limit, that tester may be the cause. */
  readonly isOfViewers?: boolean;
  /** A default that the plan does not state: if it was not measured, it decides nothing. */
  readonly isOfThumb?: boolean;
}

/** This close to its limit, a figure may be on its other side in the next trial. */
const closeShare = 0.25;

const expected = (id: ExpectationId, expectation: Expectation): string =>
  `expected ${describeExpectation(id, expectation)}`;

/** Whether the two halves of the interval differ: a temporary miss may be an accident. */
function halvesDiffer(
  { fromMs, toMs }: TrialInput,
  isMissed: (fromMs: number, toMs: number) => boolean | undefined,
): boolean {
  const middleMs = (fromMs + toMs) / 2;
  const [first, second] = [isMissed(fromMs, middleMs), isMissed(middleMs, toMs)];
  return first !== undefined && second !== undefined && first !== second;
}

/** Viewers or publishers of these testers over an interval; undefined if one of them has no data. */
function viewersOver(
  { values }: TrialInput,
  testers: readonly NodeView[],
  series: 'viewersConnected' | 'viewersDegraded' | 'viewersRequested' | 'publishersLive' | 'publishersRequested',
  fromMs: number,
  toMs: number,
): number | undefined {
  let sum = 0;
  for (const { id } of testers) {
    const mean = meanOf(between(values(id, series), fromMs, toMs));
    if (mean === undefined) return undefined;
    sum += mean;
  }
  return testers.length > 0 ? sum : undefined;
}

interface Share {
  readonly part: number;
  readonly of: number;
  readonly percent: number;
}

/** A share of bad viewers, compared with the allowed share. */
function bad(
  input: TrialInput,
  allowedPercent: number,
  shareOver: (fromMs: number, toMs: number) => Share | undefined,
): (Share & Pick<TrialFinding, 'nearness' | 'isClose'> & { readonly isMissed: boolean }) | undefined {
  const whole = shareOver(input.fromMs, input.toMs);
  if (!whole) return undefined;
  const isMissed = whole.percent > allowedPercent + 1e-9;
  const nearness =
    whole.percent <= 1e-9 ? 0 : allowedPercent > 0 ? whole.percent / allowedPercent : isMissed ? Infinity : 0;
  const beyond = whole.part - (allowedPercent / 100) * whole.of;
  const isNear = Math.abs(nearness - 1) <= closeShare || (isMissed && beyond <= 1);
  const isHalf = halvesDiffer(input, (fromMs, toMs) => {
    const half = shareOver(fromMs, toMs);
    return half && half.percent > allowedPercent + 1e-9;
  });
  return { ...whole, isMissed, nearness, isClose: isNear || isHalf };
}

/** Viewers, or publishers alone, connected on average, in percent of the target. */
export function findConnected(
  input: TrialInput,
  expectation: Expectation,
  testers: readonly NodeView[] = testersOf(input),
): TrialFinding {
  const clients = clientsOf(input.plan);
  const [live, requested] = connectedSeries[clients];
  const isAll = testers.length === testersOf(input).length && (input.plan.also ?? []).length === 0;
  const share = bad(input, 100 - expectation.value, (fromMs, toMs) => {
    const connected = viewersOver(input, testers, live, fromMs, toMs);
    const requestedViewers = isAll ? input.viewers : viewersOver(input, testers, requested, fromMs, toMs);
    if (connected === undefined || !requestedViewers) return undefined;
    const part = Math.max(0, requestedViewers - connected);
    return { part, of: requestedViewers, percent: (100 * part) / requestedViewers };
  });
  if (!share) return silent(input, testers);
  const { isMissed, nearness, isClose, part, of } = share;
  const connectedText = `${formatCount(of - part)} of ${formatCount(of)} ${clients} were connected, ${formatTenths((100 * (of - part)) / of)} %`;
  return {
    result: isMissed ? 'missed' : 'met',
    sentence: `${connectedText}; ${expected('connected', expectation)}.${isMissed ? causes(input) : ''}`,
    words: `${formatTenths((100 * (of - part)) / of)} % connected`,
    nearness,
    isClose,
    // Refusals by the server are not caused by a lack of CPU.
    invalidatedBy: isMissed && !isRefused(input) ? busyForViewers(input) : undefined,
    isOfViewers: true,
  };
}

const connectedSeries = {
  viewers: ['viewersConnected', 'viewersRequested'],
  publishers: ['publishersLive', 'publishersRequested'],
} as const;

/** Whether the server refused viewers, or publishers alone. */
const isRefused = ({ failures, problems = [] }: TrialInput): boolean =>
  failures.some(isRefusal) || ofServer(problems).length > 0;

/** The most frequent cause of failure so far. */
function causes({ plan, failures, problems = [] }: TrialInput): string {
  const [first] = [...problems].sort((a, b) => b.count - a.count);
  if (first) return ` Most failed: ${asSentence(first.sentence, Object.keys(plan.nodes))}`;
  const worst = failures.reduce<(typeof failures)[number] | undefined>(
    (most, failure) => (most === undefined || failure.count > most.count ? failure : most),
    undefined,
  );
  return worst ? ` Most failed at ${failedAt(worst)}.` : '';
}

/** Whether viewers, or publishers alone, failed due to the server's response, for which no tester is responsible. */
export function isRefusedByServer({ failures, problems = [] }: Pick<TrialInput, 'failures' | 'problems'>): boolean {
  return failures.some(isServerCause) || ofServer(problems).length > 0;
}

/** Degraded viewers on average, in percent of those connected. */
export function findDegraded(
  input: TrialInput,
  expectation: Expectation,
  testers: readonly NodeView[] = testersOf(input),
): TrialFinding {
  const share = bad(input, expectation.value, (fromMs, toMs) => {
    const connected = viewersOver(input, testers, 'viewersConnected', fromMs, toMs);
    const part = viewersOver(input, testers, 'viewersDegraded', fromMs, toMs);
    if (connected === undefined || part === undefined) return undefined;
    return { part, of: connected, percent: connected > 0 ? (100 * part) / connected : 0 };
  });
  if (!share) return silent(input, testers);
  const { isMissed, nearness, isClose, part, of, percent } = share;
  return {
    result: isMissed ? 'missed' : 'met',
    sentence: `${formatTenths(part)} of ${formatCount(of)} viewers, ${formatTenths(percent)} %, were degraded; ${expected('degraded', expectation)}.`,
    words: part > 0 ? `${formatTenths(percent)} % degraded` : 'no viewer degraded',
    nearness,
    isClose,
    invalidatedBy: isMissed ? busyForViewers(input) : undefined,
    isOfViewers: true,
  };
}

function silent({ plan, values }: TrialInput, testers: readonly NodeView[]): TrialFinding {
  const [live] = connectedSeries[clientsOf(plan)];
  const mute = testers.find(({ id }) => values(id, live).timeMs.length === 0);
  return {
    result: 'missing',
    sentence: `No data from ${mute?.name ?? 'any tester'} during the measurement. Check whether it responds.`,
    nearness: 0,
  };
}

/** Busy share of the origin's host on average. */
export function findCpu(input: TrialInput, expectation: Expectation): TrialFinding {
  const origin = originOf(input);
  const values: Values = origin ? hostValuesOf(input, origin, 'cpuPercent') : { timeMs: [], value: [] };
  const percent = meanOf(between(values, input.fromMs, input.toMs));
  const name = origin?.name ?? 'the origin';
  if (percent === undefined)
    return {
      result: 'missing',
      sentence: `No CPU data from ${name}: ${(origin && silentHostSource(origin)) ?? 'add SSH or node_exporter'}, or remove "cpu" from "expect".`,
      nearness: 0,
      isOfThumb: expectation.ifMeasured,
    };
  const isMissed = percent > expectation.value;
  const isHalf = halvesDiffer(input, (fromMs, toMs) => {
    const half = meanOf(between(values, fromMs, toMs));
    return half === undefined ? undefined : half > expectation.value;
  });
  return {
    result: isMissed ? 'missed' : 'met',
    sentence: `CPU of ${name} was at ${formatTenths(percent)} %; ${expected('cpu', expectation)}.`,
    words: `CPU of ${name} ${formatTenths(percent)} %`,
    invalidatedBy: isMissed ? cpuOfOthers(input, origin, (others) => percent - others <= expectation.value) : undefined,
    nearness: percent / Math.max(expectation.value, 0.1),
    isClose: isHalf || Math.abs(percent - expectation.value) <= expectation.value * 0.05,
  };
}

/** The longest pause of the origin's garbage collector; servers without one have none. */
export function findGcPause(input: TrialInput, expectation: Expectation): TrialFinding | undefined {
  const origin = originOf(input);
  if (!origin || traitsOf(origin.server).hasNoCollector) return undefined;
  const { value } = between(input.values(origin.id, 'gcPauseMs'), input.fromMs, input.toMs);
  const silent = silentGcLog(origin);
  const isObserved =
    (origin.gcSource !== undefined && silent === undefined) ||
    (origin.server === 'lab' && input.values(origin.id, 'processCpuPercent').timeMs.length > 0);
  if (value.length === 0 && !isObserved)
    return {
      result: 'missing',
      sentence: `The garbage collector of ${origin.name} can't be observed${silent === undefined ? '' : ` (${silent})`}; set "gcPause: off" if it has none.`,
      nearness: 0,
      isOfThumb: expectation.ifMeasured,
    };
  const longest = value.reduce((most, reading) => Math.max(most, reading), 0);
  const over = value.filter((reading) => reading > expectation.value).length;
  return {
    result: over > 0 ? 'missed' : 'met',
    sentence: `The garbage collector paused ${origin.name} for up to ${formatFigure(longest, 'adaptive')} ms; ${expected('gcPause', expectation)}.`,
    invalidatedBy: over > 0 ? pauseByOthers(input, origin, expectation.value) : undefined,
    words: longest > 0 ? `GC pauses up to ${formatFigure(longest, 'adaptive')} ms` : undefined,
    nearness: longest / Math.max(expectation.value, 0.1),
    // A single pause may occur at any size.
    isClose: over === 1,
  };
}

/** A threshold of any series at one node; undefined if the node does not have it. */
export function findThreshold(
  input: TrialInput,
  threshold: SeriesThreshold,
  node: NodeView | NamedAudience,
): TrialFinding | undefined {
  const { series, comparison, value: bound, tolerancePercent = 0, graceMs = 0 } = threshold;
  const { value } = between(
    input.values(node.id, series),
    Math.max(input.fromMs, input.startedMs + graceMs),
    input.toMs,
  );
  if (value.length === 0) return undefined;
  const isBad = (each: number): boolean => (comparison === '<=' ? each > bound : each < bound);
  const bads = value.filter(isBad).length;
  const percent = (100 * bads) / value.length;
  const worst = value.reduce((most, reading) =>
    comparison === '<=' ? Math.max(most, reading) : Math.min(most, reading),
  );
  const mean = meanOf({ timeMs: [], value }) ?? 0;
  const [above, below] = comparison === '<=' ? [mean, bound] : [bound, mean];
  const { title = series, unit = '' } = seriesDefinition(series) ?? {};
  const isMissed = percent > tolerancePercent;
  const figureText = (each: number): string => `${formatFigure(each, 'adaptive')}${unit === '' ? '' : ` ${unit}`}`;
  return {
    result: isMissed ? 'missed' : 'met',
    sentence: `${title} of ${node.name} was ${figureText(worst)} at worst and missed its limit for ${formatTenths(percent)} % of the time; expected ${comparison} ${figureText(bound)}.`,
    invalidatedBy: !isMissed
      ? undefined
      : series === 'cpuPercent' && 'role' in node
        ? cpuOfOthers(input, node, (others) => !isBad(mean - others))
        : isFigureOfViewers(series)
          ? busyForViewers(input)
          : undefined,
    nearness: below > 0 ? above / below : isMissed ? Infinity : 0,
    isClose: bads > 0 && Math.abs(bads - (tolerancePercent / 100) * value.length) <= 1,
    isOfViewers: !('role' in node) || node.role === 'tester' || isFigureOfViewers(series),
  };
}
