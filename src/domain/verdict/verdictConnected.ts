import type { Outage } from '../model/outages';
import type { Expectation } from '../model/plan';
import type { TesterLimit } from '../model/run';
import type { Finding, Judged } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import { judgedAudiences, type JudgedAudience } from './judgedAudiences';
import { influencesOfMissing } from './lostViewers';
import { isLostByOrigin } from './originOutages';
import { publishersOfMissing } from './publishersOfMissing';
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
      (most, each) => Math.max(most, each),
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
  const own = audience === undefined ? failures.filter(({ tester }) => tester === source) : failures;
  const failed = own.reduce((sum, each) => sum + each.count, 0);
  const share = audience === undefined ? Math.ceil(requested / testers.length) : requested;
  return failed > 0 && failed >= share;
}

/** The highest count shortly before the end of a hold; undefined without data. */
function connectedAtEnd(judged: Judged, source: string, toMs: number): number | undefined {
  const { timeMs, value } = judgedValues(judged, source, 'viewersConnected');
  const late = value.filter((_, i) => (timeMs[i] ?? 0) > toMs - endOfHoldMs && (timeMs[i] ?? 0) <= toMs);
  return late.length > 0 ? Math.max(...late) : undefined;
}
