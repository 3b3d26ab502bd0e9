import type { PlanSearch } from '../../../domain/plan/plan';
import type { LimitFound } from '../../../domain/search/found';
import type { TrialJudgement } from '../../../domain/search/trialJudgement';
import type { Wish } from './director';
import { searchDirector } from './searchDirector';

/** A made origin and its testers, for the search's own tests. */
export interface MadeHouse {
  /** From so many viewers on the origin fails. */
  readonly ceiling: number;
  /** Standard deviation of the ceiling from one look to the next, as a share of it. */
  readonly noise?: number;
  /** Once broken, it stays so until no more than this share of its ceiling is there. */
  readonly healsAtShare?: number;
  /** From so many on the testers fail. */
  readonly testersEnd?: number;
  /** Share of looks at which something else on the machine is to blame for a miss. */
  readonly hiccups?: number;
  /** The judge can't tell that a look was near the bound, or too short. */
  readonly isJudgeSure?: boolean;
  /** Share of looks at which nothing is measured. */
  readonly blind?: number;
}

export interface Simulated {
  readonly found: LimitFound;
  readonly wishes: readonly Wish[];
  readonly tookMs: number;
}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Lets a director search in a made house, second by second; throws when it does not end. */
export function simulate(search: PlanSearch, house: MadeHouse, random: () => number): Simulated {
  const ratePerSecond = 100;
  const wishes: Wish[] = [];
  let viewers = 0;
  let settledMs: number | undefined;
  let readyMs = 0;
  let isBroken = false;
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const judge = (_fromMs: number, _toMs: number, asked: number): TrialJudgement => {
    const { ceiling, noise = 0, healsAtShare, testersEnd = Infinity, hiccups = 0, blind = 0 } = house;
    const now = ceiling * (1 + noise * normal());
    // Viewers are whole: the made ceiling is the first size that fails.
    const ratio = asked / Math.max(now, 1e-9);
    if (ratio >= 1) isBroken = true;
    else if (asked <= ceiling * (healsAtShare ?? 1)) isBroken = false;
    const isMissed = ratio >= 1 || (healsAtShare !== undefined && isBroken);
    const isClose = house.isJudgeSure !== true && noise > 0 && Math.abs(ratio - 1) < 2 * noise;
    if (asked >= testersEnd) return { result: 'tester-limited', sentence: 'A tester was at its own limit.' };
    if (random() < blind) return { result: 'unknown', sentence: 'Nothing was measured.' };
    if (random() < hiccups)
      return { result: 'missed', sentence: 'Something else was.', isClose: house.isJudgeSure !== true };
    return isMissed
      ? { result: 'missed', sentence: 'Too many were degraded.', nearness: Math.max(1, ratio), isClose }
      : { result: 'met', sentence: 'All was well.', nearness: Math.min(0.99, ratio), isClose };
  };
  const director = searchDirector(search, ratePerSecond, judge);
  for (let nowMs = 0; nowMs < 24 * 3_600_000; nowMs += 1000) {
    if (nowMs >= readyMs && settledMs === undefined) settledMs = readyMs;
    const wish = director.next({ nowMs, wanted: viewers, settledMs });
    if (wish === 'end') return { found: director.found, wishes, tookMs: nowMs };
    if (!wish) continue;
    wishes.push(wish);
    readyMs = nowMs + (Math.abs(wish.viewers - viewers) / ratePerSecond) * 1000;
    viewers = wish.viewers;
    settledMs = undefined;
  }
  throw new Error(`The search did not end: ${JSON.stringify(director.found)}`);
}
