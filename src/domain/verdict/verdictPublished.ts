import type { Finding, Influence, Judged, OriginOutage } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import { maxListedOutages, type Outage, type Outages } from '../model/outages';
import { defaultExpectations, type Expectation } from '../model/plan';
import { ofServer, type PublishedGroup } from '../model/publisherGroup';
import type { TesterLimit } from '../model/run';
import { firstOfEach } from '../tester/testerEffects';
import { isLimited } from '../tester/testerLimit';
import { counted, formatCount, formatTenths } from '../text/numberFormat';
import { formatDuration } from '../text/timeFormat';
import { lostTesterMs, lengthMs, type JudgedOutage } from './audienceOutages';
import { busyForViewers } from './busyHosts';
import { findOutages, lengthOf, type TimeInterval } from './findOutages';
import { at, endOfHoldMs, expected, isMet, missing } from './verdictRules';

/** The publishers of a run without an audience, as they are judged. */
export interface JudgedPublishers {
  readonly findings: readonly Finding[];
  readonly outages: Outages;
}

const publishers = (count: number): string => counted(count, 'publisher');

/** What a plan expects of publishers alone: how many publish when the hold ends, and how long too few do. */
export function judgePublished(judged: Judged, limits: readonly TesterLimit[]): JudgedPublishers {
  const { connected, outages: expectedOutages } = judged.view.plan.expect;
  const { outages, gaps, heldMs } = found(judged, limits);
  const last = outages.find(({ isUntilEnd }) => isUntilEnd);
  const ofConnected = connected && judgeConnected(judged, connected, limits, last);
  const ofOutages =
    expectedOutages &&
    judgeOutages(judged, expectedOutages, { outages, gaps, heldMs }, ofConnected?.result === 'failed');
  return {
    findings: [ofConnected, ofOutages].filter((finding) => finding !== undefined),
    outages: totalOf(outages, gaps, heldMs),
  };
}

/** The most frequent reasons of publishers that failed, as a further sentence; empty without any. */
export function refusedText(groups: readonly PublishedGroup[]): string {
  const failed = groups.reduce((sum, group) => sum + group.failed, 0);
  if (failed === 0) return '';
  const problems = groups.flatMap(({ problems = [] }) => problems).sort((a, b) => b.count - a.count);
  const [worst, ...others] = problems;
  if (!worst) return ` ${publishers(failed)} failed.`;
  const more = others.length > 0 ? ` (and ${counted(others.length, 'other reason')})` : '';
  return ` ${publishers(failed)} failed: ${worst.sentence.replace(/\.$/, '')}${more}.`;
}

function judgeConnected(
  judged: Judged,
  expectation: Expectation,
  limits: readonly TesterLimit[],
  last: Outage | undefined,
): Finding {
  const { view, time, testers } = judged;
  const { requested } = view.figures;
  let live = 0;
  for (const { id, name } of testers) {
    const late = liveAtEnd(judged, id);
    if (late === undefined)
      return missing(judged, 'connected', expectation, `No data of the publishers of ${name} at the end of the hold.`);
    live += late;
  }
  const percent = requested > 0 ? (100 * live) / requested : 0;
  const isEnough = isMet(expectation, percent);
  const since = isEnough || !last ? '' : `, too few from ${at(judged, last.fromMs)} on`;
  return {
    result: isEnough ? 'met' : 'failed',
    expectation: 'connected',
    sentence: `${formatCount(live)} of ${publishers(requested)} were connected at the end of the ${time.holdFromMs === undefined ? 'ramp' : 'hold'}, ${formatTenths(percent)} %${since}.${refusedText(view.published ?? [])}`,
    expected: expected('connected', expectation),
    timeMs: isEnough ? time.toMs : (last?.fromMs ?? time.holdFromMs ?? time.toMs),
    measured: percent,
    invalidatedBy:
      isEnough || isRefused(view.published ?? [], requested, expectation)
        ? []
        : influences(judged, limits, time.fromMs, last?.fromMs ?? time.toMs),
  };
}

/** Whether enough publishers were refused by their server to miss the expectation, however busy the machines were. */
function isRefused(groups: readonly PublishedGroup[], requested: number, expectation: Expectation): boolean {
  const refused = ofServer(groups.flatMap(({ problems = [] }) => problems)).reduce((sum, { count }) => sum + count, 0);
  return refused > 0 && !isMet(expectation, (100 * Math.max(0, requested - refused)) / requested);
}

function judgeOutages(
  judged: Judged,
  expectation: Expectation,
  { outages, gaps, heldMs }: { outages: readonly JudgedOutage[]; gaps: readonly TimeInterval[]; heldMs: number },
  isConnectedFailed: boolean,
): Finding | undefined {
  if (heldMs === 0) return undefined;
  const limitMs = expectation.value * 1000;
  const longest = longestOf(outages);
  const over = outages.filter((outage) => lengthMs(outage) > limitMs);
  // One until the end is the failure of `connected` already.
  const further = over.filter(({ isUntilEnd }) => !(isUntilEnd && isConnectedFailed));
  const certain = further.filter(({ ownMs }) => ownMs > limitMs);
  const relevant = certain.length > 0 ? certain : further;
  const hasUnknown = gaps.some((gap) => lengthMs(gap) > limitMs);
  const base = {
    expectation: 'outages' as const,
    sentence: outagesSentence(judged, outages, gaps, heldMs),
    expected: expected('outages', expectation),
    timeMs: longest?.fromMs ?? judged.time.toMs,
    measured: longest ? lengthMs(longest) / 1000 : 0,
  };
  if (over.length === 0)
    return { ...base, result: hasUnknown ? (expectation.ifMeasured ? 'skipped' : 'missing') : 'met' };
  const causes = certain.length > 0 ? [] : relevant.flatMap((outage) => outage.influences);
  if (relevant.length === 0 || (certain.length === 0 && causes.length === 0))
    return { ...base, result: 'inapplicable' };
  return { ...base, result: 'failed', timeMs: longestOf(relevant)?.fromMs ?? base.timeMs, invalidatedBy: causes };
}

function outagesSentence(
  judged: Judged,
  outages: readonly JudgedOutage[],
  gaps: readonly TimeInterval[],
  heldMs: number,
): string {
  const missingMs = lengthOf(gaps);
  const unknown = missingMs > 0 ? ` No data for ${formatDuration(missingMs)}: not judged.` : '';
  const longest = longestOf(outages);
  if (!longest)
    return `No outage of publishers in the ${formatDuration(heldMs)} of the hold${missingMs > 0 ? ' with data' : ''}.${unknown}`;
  const fewest = outages.reduce((least, outage) => (outage.lowest < least.lowest ? outage : least), longest);
  const many = outages.length === 1 ? '1 outage' : `${formatCount(outages.length)} outages`;
  const total = outages.length === 1 ? '' : ` ${formatDuration(lengthOf(outages))} in total, the longest`;
  const reasons = [...new Set((judged.view.publisherOutages ?? []).map(({ reason }) => reason))];
  const reason = reasons[0] === undefined ? '' : ` ${reasons[0]}`;
  return `${many} of publishers:${total} ${formatDuration(lengthMs(longest))} from ${at(judged, longest.fromMs)} on; fewest ${formatCount(fewest.lowest)} of ${publishers(fewest.requested)} at ${at(judged, fewest.lowestMs)}.${reason}${unknown}`;
}

/** The highest number of publishers shortly before the end of the hold; undefined without data. */
function liveAtEnd(judged: Judged, tester: string): number | undefined {
  const { toMs } = judged.time;
  const { timeMs, value } = judgedValues(judged, tester, 'publishersLive');
  const late = value.filter((_, i) => (timeMs[i] ?? 0) > toMs - endOfHoldMs && (timeMs[i] ?? 0) <= toMs);
  return late.length > 0 ? Math.max(...late) : undefined;
}

function found(judged: Judged, limits: readonly TesterLimit[]) {
  const { view, time, testers, stoppedMs = Infinity } = judged;
  const { holdFromMs, fromMs } = time;
  if (holdFromMs === undefined) return { outages: [], gaps: [], heldMs: 0 };
  const { connected = defaultExpectations.connected } = view.plan.expect;
  const percent = connected.comparison === '>=' ? connected.value : 0;
  const { requested } = view.figures;
  const hold = { fromMs: holdFromMs, toMs: Math.min(time.toMs, stoppedMs), requested, rampFromMs: fromMs };
  const sources = testers.map(({ id }) => judgedValues(judged, id, 'publishersLive'));
  const { outages, gaps, heldMs } = findOutages(sources, [hold], percent);
  return { outages: outages.map((outage) => withCause(judged, outage, limits)), gaps, heldMs };
}

function withCause(judged: Judged, outage: Outage, limits: readonly TesterLimit[]): JudgedOutage {
  const { fromMs, toMs } = outage;
  const own = { ...outage, influences: [], ownMs: toMs - fromMs };
  const isLost = (judged.lostTesters ?? []).some(({ timeMs }) => fromMs >= timeMs - lostTesterMs);
  if (isLost) return { ...own, causedBy: 'tester-lost', ownMs: 0 };
  // No tester and no machine excuses publishers whose server was gone.
  if (originOutagesOf(judged, fromMs, toMs).length > 0) return own;
  const causes = influences(judged, limits, fromMs, fromMs);
  const [first] = causes;
  if (!first) return own;
  return { ...own, causedBy: first.cause === 'machine' ? 'machine' : 'tester', influences: causes, ownMs: 0 };
}

/** Testers at their own limit and busy machines, which publishers show as a server does that is too slow. */
function influences(judged: Judged, limits: readonly TesterLimit[], fromMs: number, toMs: number): Influence[] {
  const isOf = ({ node }: TesterLimit): boolean => isLimited(limits, node, fromMs, toMs);
  const ownLimits = judged.testers.flatMap(({ id }) => limits.filter((limit) => limit.node === id && isOf(limit)));
  return [...busyForViewers(judged, fromMs, toMs), ...firstOfEach(ownLimits)];
}

/** A server is polled once a second, and a publisher notices later that it is gone. */
const noticedMs = 40_000;

const originOutagesOf = ({ originOutages = [] }: Judged, fromMs: number, toMs: number): readonly OriginOutage[] =>
  originOutages.filter((origin) => origin.fromMs - 2000 <= toMs && origin.toMs + noticedMs >= fromMs);

/** The intervals without a response of the server that caused a missed expectation of the publishers. */
export function decidingOriginOutages(
  judged: Judged,
  { findings, outages }: JudgedPublishers,
): readonly OriginOutage[] {
  const isMissed = findings.some(({ result, invalidatedBy = [] }) => result === 'failed' && invalidatedBy.length === 0);
  if (!isMissed) return [];
  const deciding = outages.list.flatMap(({ fromMs, toMs }) => originOutagesOf(judged, fromMs, toMs));
  return (judged.originOutages ?? []).filter((origin) => deciding.includes(origin));
}

const longestOf = <T extends TimeInterval>(all: readonly T[]): T | undefined =>
  all.reduce<T | undefined>((most, each) => (most && lengthMs(most) >= lengthMs(each) ? most : each), undefined);

function totalOf(judgedOutages: readonly JudgedOutage[], gaps: readonly TimeInterval[], heldMs: number): Outages {
  const list = judgedOutages.map(({ influences: _, ownMs: __, ...outage }) => rounded(outage));
  const worst = longestOf(list);
  const amounts = (all: readonly TimeInterval[]) => ({
    count: all.length,
    sumMs: Math.round(lengthOf(all)),
    longestMs: Math.round(all.reduce((most, each) => Math.max(most, lengthMs(each)), 0)),
  });
  return {
    ...amounts(list),
    heldMs: Math.round(heldMs),
    ...(worst ? { worst } : {}),
    list: list.slice(0, maxListedOutages),
    reconnections: 0,
    gaps: { ...amounts(gaps), list: gaps.map(rounded).slice(0, maxListedOutages) },
  };
}

const rounded = <T extends TimeInterval>(interval: T): T => ({
  ...interval,
  fromMs: Math.round(interval.fromMs),
  toMs: Math.round(interval.toMs),
});
