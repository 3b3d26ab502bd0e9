import type { Influence, Judged } from '../evidence/evidence';
import { connectedAt, judgedValues } from '../evidence/evidenceValues';
import { audiencesOf } from '../model/distribution';
import type { NodeView } from '../model/node';
import type { Expectation, Audience } from '../model/plan';
import { isOverTcp } from '../model/protocols';
import type { PublisherOutage } from '../model/publisherOutage';
import type { FailureGroup, TesterLimit } from '../model/run';
import { firstOfEach, isOfCpu } from '../tester/testerEffects';
import { isLimited, limitsOverMs } from '../tester/testerLimit';
import { isRefusal, isServerCause, isTesterCause } from '../failure/attribution';
import { busyForViewers, lastBusyMs, viewerAftermathMs } from './busyHosts';
import { isLostByOrigin } from './originOutages';
import { affectedViewers, losesViewers, publisherInfluence, publisherOutagesOf, recoveredMs } from './publishers';
import { endOfHoldMs, isMet } from './verdictRules';

/**
 * A connection may end this long after a host was busy or a tester at its limit: ICE consent is lost after 30 s, and
 * servers end sessions whose viewers or media were late by timeouts of up to that (a DTLS alert, a closed connection).
 */
const lateMs = 40_000;

/** Viewers that are counted together. */
export interface Counted {
  /** Name of an audience beside others. */
  readonly audience?: string;
  /** Where their figures are recorded. */
  readonly sources: ReadonlyArray<Pick<NodeView, 'id' | 'name'>>;
  readonly testers: readonly NodeView[];
  /** Origins of an audience; else those that the testers pull from. */
  readonly origins?: readonly NodeView[];
  readonly reconnects?: boolean;
  /** Whose streams may have lost their publishers; absent if that is judged otherwise. */
  readonly pull?: Audience;
  readonly requested: number;
  readonly connected: number;
  /** When they are counted. */
  readonly toMs: number;
  readonly failures: readonly FailureGroup[];
  /** One size of several: the plan disconnects viewers too. */
  readonly isOfLevel?: boolean;
}

/** The viewers of one tester, where its own figures are known. */
export interface TesterShare {
  readonly tester: NodeView;
  readonly connected: number;
  readonly requested: number;
}

/** What may have caused that viewers are missing, apart from the server. */
interface Excuses {
  readonly busyHosts: boolean;
  readonly limits: readonly TesterLimit[];
  /** Intervals without a publisher of their streams. */
  readonly publishers?: readonly PublisherOutage[];
  /** Whether failures for lack of a tester's resources count too. */
  readonly withTesterCauses?: boolean;
}

/**
 * Machines that were busy with other programs and testers at their own limit, without which enough viewers might have
 * been connected. None if too few would have been connected anyway: because the server refused them, because they were
 * lost while no host was busy, no tester limited and no stream without its publisher, or on testers that nothing affected.
 */
export function influencesOfMissing(
  judged: Judged,
  counted: Counted,
  expectation: Expectation,
  allLimits: readonly TesterLimit[],
  shares: readonly TesterShare[] = [],
): readonly Influence[] {
  const { testers, requested, connected, toMs } = counted;
  const misses = (lost: number, of = requested): boolean => of > 0 && !isMet(expectation, 100 - (100 * lost) / of);
  const missesBy = (excuses: Excuses): boolean =>
    misses(Math.min(requested - connected, lostDespite(judged, counted, excuses)));
  const limits = allLimits.filter(({ node, fromMs }) => fromMs <= toMs && testers.some(({ id }) => id === node));
  // Viewers that reconnect are missing, and have not failed.
  if (counted.reconnects && pullsOf(judged, counted).every((pull) => isLostByOrigin(judged, pull, toMs))) return [];
  const publishers = counted.pull
    ? publisherOutagesOf(judged, counted.pull).filter(({ fromMs }) => fromMs <= toMs)
    : [];
  if (missesBy({ busyHosts: true, limits, publishers })) return [];
  const busyOf = (tester: NodeView): Influence[] =>
    busyForViewers(judged, judged.time.fromMs, toMs, { ...affectedOf(counted), testers: [tester] });
  // Testers that were never affected count on their own.
  const sound = shares.filter(
    ({ tester }) => !limits.some(({ node }) => node === tester.id) && busyOf(tester).length === 0,
  );
  const asked = publishers.length > 0 ? 0 : sum(sound.map((share) => share.requested));
  if (misses(sum(sound.map((share) => Math.max(0, share.requested - share.connected))), asked)) return [];
  // A tester without CPU on a busy machine is at its limit because of that.
  const starved = limits.filter((limit) => isStarved(judged, limit, toMs));
  const ownLimits = limits.filter((limit) => !starved.includes(limit));
  const busy = [...testers.flatMap(busyOf), ...firstOfEach(starved)];
  // Each cause is omitted where the others explain enough; if only all together do, all are reasons.
  const relevant = [
    ...(missesBy({ busyHosts: true, limits: starved, withTesterCauses: true }) ? [] : busy),
    ...(missesBy({ busyHosts: false, limits: ownLimits }) ? [] : firstOfEach(ownLimits)),
  ];
  if (relevant.length > 0) return relevant;
  return [...busy, ...firstOfEach(ownLimits), ...publishers.map((publisher) => publisherInfluence(judged, publisher))];
}

function isStarved(judged: Judged, { node, kind, fromMs, toMs }: TesterLimit, endMs: number): boolean {
  const testers = judged.testers.filter(({ id }) => id === node);
  return isOfCpu(kind) && busyForViewers(judged, fromMs, toMs ?? endMs, { testers, origins: [] }).length > 0;
}

/** Viewers that are missing for reasons other than these, at least. */
function lostDespite(judged: Judged, counted: Counted, excuses: Excuses): number {
  const failed = failedDespite(judged, counted, excuses);
  return counted.isOfLevel ? failed : Math.max(failed, missingSince(judged, counted, excuses));
}

/** Viewers that failed for other reasons, at least: of each tester alone, where its figures are known. */
function failedDespite(judged: Judged, counted: Counted, excuses: Excuses): number {
  const { audience, testers, failures } = counted;
  const ofTesters = testers.map((tester) => {
    const isOwn = (group: FailureGroup): boolean => group.tester === tester.id;
    const failed = failedOf(
      judged,
      tester.id,
      { ...counted, testers: [tester], failures: failures.filter(isOwn) },
      excuses,
    );
    if (audience === undefined) return failed;
    // A tester's own figures are those of all of its audiences.
    const others = judged.view.failures.filter((group) => isOwn(group) && group.audience !== audience);
    return Math.max(0, failed - countOf(others));
  });
  const [source] = counted.sources;
  const ofAudience = audience !== undefined && source ? failedOf(judged, source.id, counted, excuses) : 0;
  return Math.max(sum(ofTesters), ofAudience);
}

function failedOf(judged: Judged, source: string, counted: Counted, excuses: Excuses): number {
  const { failures, testers, toMs, requested } = counted;
  const { publishers: away = [] } = excuses;
  const affected = affectedOf(counted);
  const isOfOrigin = (timeMs: number): boolean =>
    pullsOf(judged, counted).every((pull) => isLostByOrigin(judged, pull, timeMs));
  const isExcused = (fromMs: number, untilMs: number, aftermathMs: number): boolean =>
    !isOfOrigin(untilMs) &&
    ((excuses.busyHosts && busyForViewers(judged, fromMs, untilMs, { ...affected, aftermathMs }).length > 0) ||
      testers.some(({ id }) => isLimited(excuses.limits, id, fromMs, untilMs, aftermathMs)));
  const isEverBusy = excuses.busyHosts && isFinite(lastBusyMs(judged, judged.time.fromMs - lateMs, toMs, affected));
  // Nothing listens there: only datagrams are refused where a session has timed out.
  const areOverTcp = pullsOf(judged, counted).every(({ protocol }) => isOverTcp(protocol));
  const certainCause = (group: FailureGroup): boolean =>
    (areOverTcp && group.cause === 'refused') ||
    (isEverBusy || away.length > 0 ? isRefusal(group) && !isOfStream(group, away) : isServerCause(group)) ||
    (excuses.withTesterCauses === true && isTesterCause(group.cause));
  const certain = failures.filter(certainCause);
  const affectedByPublishers = sum(away.map((outage) => affectedViewers(outage, requested)));
  const firstMs = Math.min(Infinity, ...certain.map(({ example }) => example.timeMs));
  const late = countOf(failures.filter((group) => !certainCause(group) && group.stage === 'media'));
  const failed = { before: 0, after: 0, afterAWhile: 0, withoutPublisher: 0 };
  const { timeMs, value } = judgedValues(judged, source, 'viewersFailed');
  value.forEach((total, i) => {
    const more = total - (value[i - 1] ?? 0);
    const [fromMs, untilMs] = [timeMs[i - 1] ?? judged.time.fromMs, timeMs[i] ?? toMs];
    if (more <= 0 || untilMs > toMs || isExcused(fromMs, untilMs, viewerAftermathMs)) return;
    if (away.some((outage) => losesViewers(outage, untilMs))) failed.withoutPublisher += more;
    else if (isExcused(fromMs, untilMs, lateMs)) failed.afterAWhile += more;
    else if (untilMs < firstMs) failed.before += more;
    else failed.after += more;
  });
  // Both may count one viewer.
  const counts =
    failed.after + Math.max(0, failed.afterAWhile - late) + Math.max(0, failed.withoutPublisher - affectedByPublishers);
  return failed.before + Math.max(countOf(certain), counts);
}

const pullsOf = ({ view }: Judged, { pull }: Counted): readonly Audience[] => (pull ? [pull] : audiencesOf(view.plan));

/** Whether the server refused viewers because their stream had no publisher. */
function isOfStream({ cause }: FailureGroup, away: readonly PublisherOutage[]): boolean {
  return away.length > 0 && /^(http|rtsp)-404$/.test(cause);
}

/** Viewers lost since the last of these excuses was over, and those that have not reconnected in that time. */
function missingSince(judged: Judged, counted: Counted, { busyHosts, limits, publishers = [] }: Excuses): number {
  const { sources, requested, connected, toMs, failures, reconnects } = counted;
  const busyMs = busyHosts ? lastBusyMs(judged, judged.time.fromMs, toMs, affectedOf(counted)) : -Infinity;
  const lastMs = Math.max(busyMs, limitsOverMs(limits), ...publishers.map(recoveredMs));
  const isLost = failures.some((group) => group.stage === 'media' && !isServerCause(group));
  const overMs = lastMs + (isLost ? lateMs : viewerAftermathMs);
  if (!isFinite(lastMs) || overMs >= toMs - endOfHoldMs) return 0;
  const failed = sum(sources.map(({ id }) => judgedValues(judged, id, 'viewersFailed').value.at(-1) ?? 0));
  const isWaitOver = reconnects === true && lastMs + lateMs < toMs;
  return Math.max(connectedAt(judged, overMs, sources) - connected, isWaitOver ? requested - connected - failed : 0);
}

function affectedOf({ testers, origins }: Counted): { testers: readonly NodeView[]; origins?: readonly NodeView[] } {
  return { testers, ...(origins && origins.length > 0 ? { origins } : {}) };
}

const countOf = (groups: readonly FailureGroup[]): number => sum(groups.map((group) => group.count));
const sum = (values: readonly number[]): number => values.reduce((all, count) => all + count, 0);
