import type { Finding, Judged } from './judged';
import { judgedValues } from './judgedValues';
import type { Expectation, PlanPull } from './plan';
import type { TesterLimit } from './run';
import { audiencesOf } from './shares';
import { courseOf } from './stages/course';
import { isServersWord } from './testerRules';
import { firstAfter, type Values } from './windows';
import { at, count, endOfHoldMs, expected, figure, isMet, missing, viewers, whyFailed } from './verdictRules';

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
    isDoubtful: over !== undefined && isDoubtful(judged, expectation, seen, limits),
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

/** Stretches of one size that end while the run holds, by what its testers were to play each second. */
function levelsOf(judged: Judged): Level[] {
  const { time, view } = judged;
  const holds = view.phases.filter(({ name }) => name === 'hold');
  const steps = judged.testers.map(({ id }) => ({ id, next: 0, value: 0, ...requestedBy(judged, id) }));
  const levels: Level[] = [];
  let since = time.fromMs;
  let level: Level = { toMs: time.fromMs, requested: 0, parts: new Map() };
  const close = (): void => {
    const isHeld = holds.some(
      ({ startMs, endMs = Infinity }) => level.toMs >= startMs && level.toMs <= endMs,
    );
    if (level.requested > 0 && level.toMs - since >= endOfHoldMs && isHeld) levels.push(level);
  };
  for (let nowMs = time.fromMs; ; nowMs = Math.min(nowMs + 1000, time.toMs)) {
    for (const step of steps)
      for (; (step.timeMs[step.next] ?? Infinity) <= nowMs; step.next += 1)
        step.value = step.values[step.next] ?? 0;
    const requested = steps.reduce((sum, { value }) => sum + value, 0);
    if (requested !== level.requested) {
      close();
      since = nowMs;
    }
    level = { toMs: nowMs, requested, parts: new Map(steps.map(({ id, value }) => [id, value])) };
    if (nowMs >= time.toMs) break;
  }
  close();
  // A course without any level that lasts is judged by its end.
  return levels.length > 0 || level.requested === 0 ? levels : [level];
}

function requestedBy(judged: Judged, id: string): { timeMs: readonly number[]; values: readonly number[] } {
  const { timeMs, value } = judgedValues(judged, id, 'viewersRequested');
  return { timeMs, values: value };
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

/** Where viewers are being replaced, some are always on the way: all of them are in at some moment between two beats. */
function churnMs({ view }: Judged, requested: number): number {
  const churns = audiencesOf(view.plan).flatMap(({ stages = [] }: PlanPull, _, all) =>
    courseOf(stages).filter(
      ({ kind, toViewers }) => kind === 'churn' && (all.length > 1 || toViewers === requested),
    ),
  );
  return Math.max(0, ...churns.map(({ everyMs = 0 }) => everyMs));
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
