import type { Outage } from '../model/outages';
import type { Audience, Expectation } from '../model/plan';
import type { RunView, TesterLimit } from '../model/run';
import type { Finding, Influence, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import { allAudiences, severalAudiences } from '../plan/audiences';
import { type JudgedAudience, judgedAudiences } from './verdictAudiences';
import { type Counted, influencesOfMissing } from './lostViewers';
import { isLostByOrigin } from './originOutages';
import { affectedViewers, isRecovering, losesViewers, publisherInfluence, publisherOutagesOf } from './publishers';
import { judgeLevels } from './verdictLevels';
import { at, endOfHoldMs, expected, failureReason, isMet, missing } from './verdictRules';
import { formatCount, formatTenths, formatViewers } from '../text/numberFormat';

interface CountedAudience extends JudgedAudience {
  /** Since when too few were connected, if they were before. */
  readonly sinceMs?: number | undefined;
}

/**
 * Viewers connected when the hold ends, in percent of the target; of an audience in stages at the end of each level. Of
 * several audiences each is judged by its own profile, at its own end. `lastOutages` are those that lasted until then.
 * The size of a search is its result, and is no expectation.
 */
export function judgeConnected(
  judged: Judged,
  expectation: Expectation,
  limits: readonly TesterLimit[] = [],
  lastOutages: readonly Outage[] = [],
): readonly Finding[] {
  return judgedAudiences(judged)
    .filter(({ pull }) => pull.search === undefined)
    .map((each) => {
      if (each.pull.stages !== undefined) return judgeLevels(judged, each, expectation, limits);
      const last = lastOutages.find(({ audience }) => audience === each.audience);
      return judgeCounted(judged, { ...each, sinceMs: last?.fromMs }, expectation, limits);
    });
}

function judgeCounted(
  judged: Judged,
  counted: CountedAudience,
  expectation: Expectation,
  limits: readonly TesterLimit[],
): Finding {
  const { time } = judged;
  const { audience, sources, testers, requested, toMs, failures } = counted;
  let connected = 0;
  for (const { id, name } of sources) {
    const late = connectedAtEnd(judged, id, toMs);
    if (late === undefined && !hasNoViewers(judged, counted, id))
      return {
        ...missing(judged, 'connected', expectation, `No data from ${name} at the end of the hold.`),
        ...(audience === undefined ? {} : { audience }),
      };
    connected += late ?? 0;
  }
  const percent = requested > 0 ? (100 * connected) / requested : 0;
  const met = isMet(expectation, percent);
  const firstFailureMs = Math.min(...failures.map((group) => group.example.timeMs));
  const whose = audience === undefined ? '' : ` of ${audience}`;
  const when = audience === undefined ? 'the hold' : 'its hold';
  const since = met || counted.sinceMs === undefined ? '' : `, too few from ${at(judged, counted.sinceMs)} on`;
  const isOfOrigin = counted.sinceMs !== undefined && isLostByOrigin(judged, counted.pull, counted.sinceMs);
  const publishers =
    met || isOfOrigin ? [] : publishersOfMissing(judged, { ...counted, connected }, counted.pull, expectation);
  // The figures of an audience are not known per tester.
  const shares = (audience === undefined ? testers : []).map((tester) => ({
    tester,
    connected: connectedAtEnd(judged, tester.id, toMs) ?? 0,
    requested: judgedValues(judged, tester.id, 'viewersRequested').value.reduce(
      (most, reading) => Math.max(most, reading),
      0,
    ),
  }));
  return {
    result: met ? 'met' : 'failed',
    expectation: 'connected',
    sentence: `${formatCount(connected)} of ${formatViewers(requested)}${whose} were connected at the end of ${when}, ${formatTenths(percent)} %${since}.${failureReason(failures)}`,
    expected: expected('connected', expectation),
    timeMs: met ? toMs : Number.isFinite(firstFailureMs) ? firstFailureMs : (time.holdFromMs ?? toMs),
    measured: percent,
    ...(audience === undefined ? {} : { audience }),
    invalidatedBy:
      met || isOfOrigin || publishers.length > 0
        ? publishers
        : influencesOfMissing(judged, { ...counted, connected }, expectation, limits, shares),
  };
}

/** A tester that refused all of its viewers has no data, and a source whose viewers all failed may have none so late. */
function hasNoViewers(
  judged: Judged,
  { audience, testers, requested, failures }: CountedAudience,
  source: string,
): boolean {
  if (judged.refused?.some(({ node }) => node === source)) return true;
  const failureGroups = audience === undefined ? failures.filter(({ tester }) => tester === source) : failures;
  const failed = failureGroups.reduce((sum, group) => sum + group.count, 0);
  const share = audience === undefined ? Math.ceil(requested / testers.length) : requested;
  return failed > 0 && failed >= share;
}

/** The highest count shortly before the end of a hold; undefined without data. */
function connectedAtEnd(judged: Judged, source: string, toMs: number): number | undefined {
  const { timeMs, value } = judgedValues(judged, source, 'viewersConnected');
  const late = value.filter((_, i) => (timeMs[i] ?? 0) > toMs - endOfHoldMs && (timeMs[i] ?? 0) <= toMs);
  return late.length > 0 ? Math.max(...late) : undefined;
}

/** Publishers of the streams of an audience without whose absence enough of its viewers would have been connected. */
function publishersOfMissing(
  judged: Judged,
  { requested, connected, sources, toMs }: Counted,
  pull: Audience,
  expectation: Expectation,
): readonly Influence[] {
  const away = publisherOutagesOf(judged, pull).filter(({ fromMs }) => fromMs <= toMs);
  if (away.length === 0) return [];
  const failures = sources.flatMap(({ id }) => {
    const { timeMs, value } = judgedValues(judged, id, 'viewersFailed');
    return value.map((total, i) => ({ timeMs: timeMs[i] ?? toMs, more: Math.max(0, total - (value[i - 1] ?? 0)) }));
  });
  const sum = (of: typeof failures): number => of.reduce((total, { more }) => total + more, 0);
  const within = sum(failures.filter(({ timeMs }) => away.some((outage) => losesViewers(outage, timeMs))));
  // Those that neither watch nor have failed connect again.
  const connecting = Math.max(0, requested - connected - sum(failures));
  const isRecent = away.some((outage) => isRecovering(outage, toMs));
  const affected = away.reduce((total, outage) => total + affectedViewers(outage, requested), 0);
  const explained = Math.min(affected, within + (isRecent ? connecting : 0));
  const percent = requested > 0 ? (100 * Math.min(requested, connected + explained)) / requested : 100;
  return isMet(expectation, percent) ? away.map((outage) => publisherInfluence(judged, outage)) : [];
}

/**
 * After the number of viewers that were connected at once: how many were at the end, where these were too few.
 * `, 0 of 30 at the end of the hold`.
 */
export function connectedText({ plan, figures }: RunView, findings: readonly Finding[]): string {
  const isSeveral = severalAudiences(plan).length > 0;
  const audiences = allAudiences(plan).flatMap(({ name, pull }) => {
    const finding = findings.find(
      ({ expectation, audience }) => expectation === 'connected' && (!isSeveral || audience === name),
    );
    const requested = isSeveral ? pull.viewers : figures.requested;
    return finding ? [{ finding, pull, requested }] : [];
  });
  const short = audiences.filter(({ finding }) => finding.result === 'failed');
  if (short.length === 0) return '';
  // The lowest of several levels is no number at the end.
  if (short.some(({ pull }) => pull.stages !== undefined)) return ', too few at the end of a level';
  const counted = audiences.filter(({ finding, pull }) => finding.measured !== undefined && pull.stages === undefined);
  const connected = counted.reduce(
    (sum, { finding, requested }) => sum + Math.round(((finding.measured ?? 0) * requested) / 100),
    0,
  );
  const of = counted.reduce((sum, { requested }) => sum + requested, 0);
  return `, ${formatCount(connected)} of ${formatCount(of)} at the end of ${isSeveral ? 'their holds' : 'the hold'}`;
}
