import type { Finding, Judged, Influence } from '../evidence/evidence';
import { judgedValues } from '../evidence/evidenceValues';
import type { Expectation, Audience } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { severalAudiences } from '../plan/audiences';
import { segmentsOf } from '../stages/loadProfile';
import { firstAfter, type Values } from '../series/windows';
import type { JudgedAudience } from './verdictAudiences';
import { influencesOfMissing } from './lostViewers';
import { publishersForViewers } from './publishers';
import { at, endOfHoldMs, expected, failureReason, isMet, missing } from './verdictRules';
import { formatCount, formatTenths, formatViewers } from '../text/numberFormat';

/** A level of the audience, at its end. */
interface Level {
  readonly fromMs: number;
  readonly toMs: number;
  readonly requested: number;
  /** By tester or audience, of those with a target. */
  readonly parts: ReadonlyMap<string, number>;
}

/** The result of a level. `there` are connected viewers by tester or audience. */
interface LevelResult extends Level {
  readonly connected: number;
  readonly percent: number;
  readonly there: ReadonlyMap<string, number>;
}

/**
 * Viewers connected at the end of each level of an audience in stages, in percent of the target; the worst level
 * counts.
 */
export function judgeLevels(
  judged: Judged,
  audience: JudgedAudience,
  expectation: Expectation,
  limits: readonly TesterLimit[] = [],
): Finding {
  const { sources } = audience;
  const named = audience.audience === undefined ? {} : { audience: audience.audience };
  const connected = new Map(sources.map(({ id }) => [id, judgedValues(judged, id, 'viewersConnected')]));
  const levels: LevelResult[] = [];
  const ids = sources.map(({ id }) => id);
  for (const level of levelsOf(judged, ids, audience.pull)) {
    const each = runCheck(judged, audience, level, connected);
    if (typeof each === 'string') {
      const sentence = `No data from ${each} at ${at(judged, level.toMs)}, at the end of the level of ${formatViewers(level.requested)}.`;
      return { ...missing(judged, 'connected', expectation, sentence), ...named };
    }
    levels.push(each);
  }
  const [first] = levels;
  if (!first)
    return {
      ...missing(judged, 'connected', expectation, `No held level${ofAudience(audience)} had target viewers.`),
      ...named,
    };
  const worst = levels.reduce((least, level) => (level.percent < least.percent ? level : least), first);
  const over = levels.find(({ percent }) => !isMet(expectation, percent));
  return {
    result: over ? 'failed' : 'met',
    expectation: 'connected',
    sentence: sentenceOf(judged, audience, levels, worst, over),
    expected: expected('connected', expectation),
    timeMs: (over ?? worst).toMs,
    measured: worst.percent,
    ...named,
    invalidatedBy: over === undefined ? [] : influencesOfLevels(judged, audience, expectation, levels, limits),
  };
}

const ofAudience = ({ audience }: JudgedAudience): string => (audience === undefined ? '' : ` of ${audience}`);

function sentenceOf(
  judged: Judged,
  audience: JudgedAudience,
  levels: readonly LevelResult[],
  worst: LevelResult,
  over: LevelResult | undefined,
): string {
  const most = Math.max(...levels.map(({ requested }) => requested));
  const of = ofAudience(audience);
  if (worst.percent >= 100)
    return levels.length === 1
      ? `All ${formatViewers(most)}${of} were connected at the end of their level.`
      : `All viewers${of} were connected at the end of each of ${formatCount(levels.length)} levels, up to ${formatCount(most)}.`;
  const share = `${formatCount(worst.connected)} of ${formatViewers(worst.requested)}${of} were connected at ${at(judged, worst.toMs)}, at the end of their level, ${formatTenths(worst.percent)} %`;
  const rank = levels.length > 1 ? `, the lowest of ${formatCount(levels.length)} levels` : '';
  const since = over && over !== worst ? `; too few from ${at(judged, over.toMs)} on` : '';
  return `${share}${rank}${since}.${over ? failureReason(audience.failures) : ''}`;
}

/** Sizes that were held, from the target of each tester second by second. */
function levelsOf(judged: Judged, sources: readonly string[], pull: Audience): Level[] {
  const { time, view } = judged;
  const all = withoutDips(intervalsOf(judged, sources), churnMs(pull));
  // The phases of a run are those of all its audiences: while one ramps up, another may hold its size.
  const holds =
    severalAudiences(view.plan).length > 0
      ? [{ startMs: time.fromMs, endMs: time.toMs }]
      : view.phases.filter(({ name }) => name === 'hold');
  const levels = all.flatMap((interval): Level[] => {
    const hold = holds
      .filter(({ startMs, endMs = Infinity }) => startMs <= interval.toMs && endMs >= interval.fromMs)
      .at(-1);
    // On a ramp the size is not constant, and testers receive their target slightly later.
    const toMs = Math.min(interval.toMs, hold?.endMs ?? time.toMs);
    const isHeld = hold !== undefined && interval.requested > 0 && toMs - interval.fromMs >= endOfHoldMs;
    return isHeld ? [{ ...interval, toMs }] : [];
  });
  const last = all.at(-1);
  // A profile without a lasting level is judged by its end.
  return levels.length > 0 || !last || last.requested === 0 ? levels : [last];
}

/** A size that an audience in stages held, and the longest replacement interval of it. */
interface HeldLevel extends Pick<Level, 'fromMs' | 'toMs' | 'requested'> {
  readonly churnMs: number;
}

/** The sizes that one audience held; `sources` are the nodes or the audience where its target is recorded. */
export function heldLevels(judged: Judged, sources: readonly string[], pull: Audience): HeldLevel[] {
  return levelsOf(judged, sources, pull)
    .filter(({ fromMs, toMs }) => toMs > fromMs)
    .map(({ fromMs, toMs, requested }) => ({ fromMs, toMs, requested, churnMs: churnMs(pull) }));
}

/** Intervals in which the total target of all sources was constant, from sample to sample. */
function intervalsOf(judged: Judged, sources: readonly string[]): Level[] {
  const samples = sources.flatMap((id) => {
    const { timeMs, value } = judgedValues(judged, id, 'viewersRequested');
    return timeMs.map((ms, i) => ({ id, timeMs: ms, value: value[i] ?? 0 }));
  });
  const parts = new Map<string, number>();
  const intervals: Level[] = [];
  let requested = 0;
  for (const { id, timeMs, value } of samples.sort((x, y) => x.timeMs - y.timeMs)) {
    requested += value - (parts.get(id) ?? 0);
    parts.set(id, value);
    const last = intervals.at(-1);
    if (last?.requested === requested) intervals[intervals.length - 1] = { ...last, toMs: timeMs, parts: last.parts };
    else intervals.push({ fromMs: timeMs, toMs: timeMs, requested, parts: new Map(parts) });
  }
  return intervals;
}

/** During churn the target dips between a disconnect and the next connect: it is still the same level. */
function withoutDips(intervals: readonly Level[], maxMs: number): Level[] {
  if (maxMs === 0) return [...intervals];
  const merged: Level[] = [];
  for (const interval of intervals) {
    let place = merged.length - 1;
    while ((merged[place]?.requested ?? Infinity) < interval.requested) place -= 1;
    const before = merged[place];
    const isSame = before?.requested === interval.requested && interval.fromMs - before.toMs <= maxMs;
    if (!isSame) merged.push(interval);
    else merged.splice(place, Infinity, { ...interval, fromMs: before.fromMs });
  }
  return merged;
}

/** Viewers connected at the end of a level; the name of a tester without data. */
function runCheck(
  judged: Judged,
  { sources, pull }: JudgedAudience,
  level: Level,
  connected: ReadonlyMap<string, Values>,
): LevelResult | string {
  const probeMs = Math.max(endOfHoldMs, churnMs(pull, level.requested));
  const there = new Map<string, number>();
  for (const { id, name } of sources) {
    const requested = level.parts.get(id) ?? 0;
    if (requested === 0) continue;
    const { timeMs, value } = connected.get(id) ?? { timeMs: [], value: [] };
    const late = value.slice(firstAfter(timeMs, level.toMs - probeMs), firstAfter(timeMs, level.toMs));
    // A tester that refused all of its viewers has no data.
    if (late.length === 0 && !judged.refused?.some(({ node }) => node === id)) return name;
    // Viewers about to disconnect are not part of the target.
    there.set(id, Math.min(requested, Math.max(0, ...late)));
  }
  const all = [...there.values()].reduce((sum, count) => sum + count, 0);
  return { ...level, there, connected: all, percent: (100 * all) / level.requested };
}

/** The longest replacement interval: all viewers are connected only between two of them. 0 without churn. */
function churnMs({ stages = [] }: Audience, requested?: number): number {
  const churns = segmentsOf(stages).filter(
    ({ kind, toViewers }) => kind === 'churn' && (requested === undefined || toViewers === requested),
  );
  return Math.max(0, ...churns.map(({ everyMs = 0 }) => everyMs));
}

/** What spoilt every missed level; none if one of them was missed without that. */
function influencesOfLevels(
  judged: Judged,
  audience: JudgedAudience,
  expectation: Expectation,
  levels: readonly LevelResult[],
  limits: readonly TesterLimit[],
): readonly Influence[] {
  const missed = levels.filter(({ percent }) => !isMet(expectation, percent));
  const all = missed.map(({ toMs, requested, connected, parts, there }) => {
    const publishers = publishersForViewers(judged, toMs - endOfHoldMs, toMs);
    if (publishers.length > 0) return publishers;
    // The figures of an audience are not known per tester.
    const isOne = audience.audience === undefined;
    const testers = isOne ? audience.testers.filter(({ id }) => there.has(id)) : audience.testers;
    const counted = {
      ...audience,
      ...{ testers, toMs, requested, connected },
      sources: isOne ? testers : audience.sources,
      isOfLevel: true,
    };
    const shares = (isOne ? testers : []).map((tester) => ({
      tester,
      connected: there.get(tester.id) ?? 0,
      requested: parts.get(tester.id) ?? 0,
    }));
    return influencesOfMissing(judged, counted, expectation, limits, shares);
  });
  return all.every((values) => values.length > 0) ? all.flat() : [];
}
