import { busyForViewers } from './busyHosts';
import type { Finding, Judged, Spoiler } from './judged';
import { judgedValues } from './judgedValues';
import type { Expectation } from '../plan/plan';
import type { TesterLimit } from '../run';
import { audiencesOf } from '../shares';
import { courseOf } from '../stages/course';
import { isServersWord } from '../tester/testerRules';
import { firstOfEach } from '../tester/testerSpoilers';
import { firstAfter, type Values } from '../windows';
import { at, count, endOfHoldMs, expected, figure, isMet, missing, viewers } from './verdictRules';
import { lostWhateverTheCpu, whyFailed } from './verdictConnected';

/** A time in which the audience was to be of one size, at its end. */
interface Level {
  readonly toMs: number;
  readonly requested: number;
  /** By tester, of those that were to play somebody. */
  readonly parts: ReadonlyMap<string, number>;
}

/** What a level came to. `parts` are connected viewers by tester. */
interface LevelSeen extends Level {
  readonly connected: number;
  readonly percent: number;
  readonly there: ReadonlyMap<string, number>;
}

/** Viewers connected at the end of each level on which an audience in stages settled, in percent of those asked for; the worst level counts. */
export function judgeLevels(
  judged: Judged,
  expectation: Expectation,
  limits: readonly TesterLimit[] = [],
): Finding {
  const connected = new Map(
    judged.testers.map(({ id }) => [id, judgedValues(judged, id, 'viewersConnected')]),
  );
  const seen: LevelSeen[] = [];
  for (const level of levelsOf(judged)) {
    const each = lookAt(judged, level, connected);
    if (typeof each === 'string')
      return missing(
        judged,
        'connected',
        expectation,
        `No word came from ${each} at ${at(judged, level.toMs)}, at the end of the level of ${viewers(level.requested)}.`,
      );
    seen.push(each);
  }
  const [first] = seen;
  if (!first)
    return missing(judged, 'connected', expectation, 'Nobody was asked to come on any level that was held.');
  const worst = seen.reduce((least, each) => (each.percent < least.percent ? each : least), first);
  const over = seen.find(({ percent }) => !isMet(expectation, percent));
  return {
    result: over ? 'failed' : 'met',
    expectation: 'connected',
    sentence: sentenceOf(judged, seen, worst, over),
    expected: expected('connected', expectation),
    timeMs: (over ?? worst).toMs,
    spoiltBy:
      over === undefined
        ? []
        : [
            ...busyOf(judged, expectation, seen),
            ...(isDoubtful(judged, expectation, seen, limits) ? firstOfEach(limits) : []),
          ],
  };
}

function sentenceOf(
  judged: Judged,
  seen: readonly LevelSeen[],
  worst: LevelSeen,
  over: LevelSeen | undefined,
): string {
  const most = Math.max(...seen.map(({ requested }) => requested));
  if (worst.percent >= 100)
    return seen.length === 1
      ? `All ${viewers(most)} were connected at the end of their level.`
      : `All viewers were connected at the end of each of ${count(seen.length)} levels, up to ${count(most)}.`;
  const share = `${count(worst.connected)} of ${viewers(worst.requested)} were connected at ${at(judged, worst.toMs)}, at the end of their level, ${figure(worst.percent)} %`;
  const rank = seen.length > 1 ? `, the lowest of ${count(seen.length)} levels` : '';
  const since = over && over !== worst ? `; too few from ${at(judged, over.toMs)} on` : '';
  return `${share}${rank}${since}.${over ? whyFailed(judged) : ''}`;
}

/** Sizes that were held for a while, by what each tester was to play second by second. */
function levelsOf(judged: Judged): Level[] {
  const { time, view } = judged;
  const all = withoutDips(stretchesOf(judged), churnMs(judged));
  const levels = all.flatMap((stretch): Level[] => {
    const hold = view.phases
      .filter(
        ({ name, startMs, endMs = Infinity }) =>
          name === 'hold' && startMs <= stretch.toMs && endMs >= stretch.fromMs,
      )
      .at(-1);
    // On a ramp nobody settles, and what is asked of the testers is told a little later than it begins.
    const toMs = Math.min(stretch.toMs, hold?.endMs ?? time.toMs);
    const isHeld = hold !== undefined && stretch.requested > 0 && toMs - stretch.fromMs >= endOfHoldMs;
    return isHeld ? [{ ...stretch, toMs }] : [];
  });
  const last = all.at(-1);
  // A course without any level that lasts is judged by its end.
  return levels.length > 0 || !last || last.requested === 0 ? levels : [last];
}

interface Stretch extends Level {
  readonly fromMs: number;
}

/** Stretches in which all testers together were to play the same number of viewers, from sample to sample. */
function stretchesOf(judged: Judged): Stretch[] {
  const samples = judged.testers.flatMap(({ id }) => {
    const { timeMs, value } = judgedValues(judged, id, 'viewersRequested');
    return timeMs.map((each, i) => ({ id, timeMs: each, value: value[i] ?? 0 }));
  });
  const parts = new Map<string, number>();
  const stretches: Stretch[] = [];
  let requested = 0;
  for (const { id, timeMs, value } of samples.sort((x, y) => x.timeMs - y.timeMs)) {
    requested += value - (parts.get(id) ?? 0);
    parts.set(id, value);
    const last = stretches.at(-1);
    if (last?.requested === requested)
      stretches[stretches.length - 1] = { ...last, toMs: timeMs, parts: last.parts };
    else stretches.push({ fromMs: timeMs, toMs: timeMs, requested, parts: new Map(parts) });
  }
  return stretches;
}

/** Where viewers are being replaced, fewer are asked for between one who leaves and one who comes: that is the same level still. */
function withoutDips(stretches: readonly Stretch[], mostMs: number): Stretch[] {
  if (mostMs === 0) return [...stretches];
  const merged: Stretch[] = [];
  for (const stretch of stretches) {
    let place = merged.length - 1;
    while ((merged[place]?.requested ?? Infinity) < stretch.requested) place -= 1;
    const before = merged[place];
    const isSame = before?.requested === stretch.requested && stretch.fromMs - before.toMs <= mostMs;
    if (!isSame) merged.push(stretch);
    else merged.splice(place, Infinity, { ...stretch, fromMs: before.fromMs });
  }
  return merged;
}

/** Who was there at the end of a level; the name of a tester that does not say. */
function lookAt(judged: Judged, level: Level, connected: ReadonlyMap<string, Values>): LevelSeen | string {
  const lookMs = Math.max(endOfHoldMs, churnMs(judged, level.requested));
  const there = new Map<string, number>();
  for (const { id, name } of judged.testers) {
    const asked = level.parts.get(id) ?? 0;
    if (asked === 0) continue;
    const { timeMs, value } = connected.get(id) ?? { timeMs: [], value: [] };
    const late = value.slice(firstAfter(timeMs, level.toMs - lookMs), firstAfter(timeMs, level.toMs));
    // Who refused all of its viewers has nothing to say of them.
    if (late.length === 0 && !judged.refused?.some(({ node }) => node === id)) return name;
    // Whoever is about to leave is not one of those asked for.
    there.set(id, Math.min(asked, Math.max(0, ...late)));
  }
  const all = [...there.values()].reduce((sum, each) => sum + each, 0);
  return { ...level, there, connected: all, percent: (100 * all) / level.requested };
}

/** Time from one replacement to the next, the longest of all: only between two of them is everybody in. 0 where nobody is replaced. */
function churnMs({ view }: Judged, requested?: number): number {
  const audiences = audiencesOf(view.plan);
  const churns = audiences.flatMap(({ stages = [] }) =>
    courseOf(stages).filter(
      ({ kind, toViewers }) =>
        kind === 'churn' && (audiences.length > 1 || requested === undefined || toViewers === requested),
    ),
  );
  return Math.max(0, ...churns.map(({ everyMs = 0 }) => everyMs));
}

/** The host that was busy with other programs in or before each level that was missed; none when one of them stands without that. */
function busyOf(judged: Judged, expectation: Expectation, seen: readonly LevelSeen[]): readonly Spoiler[] {
  const missed = seen.filter(({ percent }) => !isMet(expectation, percent));
  const lost = lostWhateverTheCpu(judged);
  const all = missed.map(({ toMs, requested }) =>
    isMet(expectation, 100 - (100 * lost) / requested)
      ? busyForViewers(judged, judged.time.fromMs, toMs)
      : [],
  );
  return all.every((each) => each.length > 0) ? (all[0] ?? []) : [];
}

/** Whether too few may have been connected only by the doing of testers that were at their own limit. */
function isDoubtful(
  { view }: Judged,
  expectation: Expectation,
  seen: readonly LevelSeen[],
  limits: readonly TesterLimit[],
): boolean {
  const refused = view.failures
    .filter(({ cause }) => isServersWord(cause))
    .reduce((sum, group) => sum + group.count, 0);
  return !seen.some((level) => {
    if (isMet(expectation, level.percent)) return false;
    // Who failed while its tester was at a limit does not come again: a limit counts from where it began.
    const isSound = (id: string): boolean =>
      !limits.some(({ node, fromMs }) => node === id && fromMs <= level.toMs);
    const sound = [...level.there].filter(([id]) => isSound(id));
    if (sound.length === level.there.size) return true;
    const total = (of: ReadonlyMap<string, number>): number =>
      sound.reduce((sum, [id]) => sum + (of.get(id) ?? 0), 0);
    const misses = (connected: number, requested: number): boolean =>
      requested > 0 && !isMet(expectation, (100 * connected) / requested);
    return (
      misses(total(level.there), total(level.parts)) || misses(level.requested - refused, level.requested)
    );
  });
}
