import type { PlanSearch } from '../../src/domain/model/audienceValues';
import type { LimitResult } from '../../src/domain/model/limitFound';
import type { TrialJudgement } from '../../src/domain/search/trialJudgement';
import type { AudienceTarget } from '../../src/engine/runs/control/loadController';
import { limitSearchController } from '../../src/engine/runs/control/limitSearchController';

/** A simulated origin and its testers, for the search's own tests. */
export interface SimulatedOrigin {
  /** From this many viewers on the origin fails. */
  readonly ceiling: number;
  /** Standard deviation of the ceiling between measurements, as a share of it. */
  readonly noise?: number;
  /** After a failure it recovers only below this share of its ceiling. */
  readonly recoversAtShare?: number;
  /** From this many on the testers fail. */
  readonly testersEnd?: number;
  /** Share of measurements in which something else on the machine causes a failure. */
  readonly hiccups?: number;
  /** The judge can't detect that a measurement was close, or too short. */
  readonly isJudgeSure?: boolean;
  /** The search is for rooms of this size. */
  readonly roomSize?: number;
  /** Share of measurements without data. */
  readonly blind?: number;
}

export interface Simulated {
  readonly found: LimitResult;
  readonly targets: readonly AudienceTarget[];
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

/** Runs a director against a simulated origin, second by second; throws when it does not end. */
export function simulate(search: PlanSearch, origin: SimulatedOrigin, random: () => number): Simulated {
  const ratePerSecond = 100;
  const targets: AudienceTarget[] = [];
  let viewers = 0;
  let settledMs: number | undefined;
  let readyMs = 0;
  let isBroken = false;
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const judge = (_fromMs: number, _toMs: number, asked: number): TrialJudgement => {
    const { ceiling, noise = 0, recoversAtShare, testersEnd = Infinity, hiccups = 0, blind = 0 } = origin;
    const now = ceiling * (1 + noise * normal());
    // Viewers are integers: the simulated ceiling is the first size that fails.
    const ratio = asked / Math.max(now, 1e-9);
    if (ratio >= 1) isBroken = true;
    else if (asked <= ceiling * (recoversAtShare ?? 1)) isBroken = false;
    const isMissed = ratio >= 1 || (recoversAtShare !== undefined && isBroken);
    const isClose = origin.isJudgeSure !== true && noise > 0 && Math.abs(ratio - 1) < 2 * noise;
    if (asked >= testersEnd) return { result: 'tester-limited', sentence: 'A tester was at its own limit.' };
    if (random() < blind) return { result: 'unknown', sentence: 'Nothing was measured.' };
    if (random() < hiccups)
      return { result: 'missed', sentence: 'Something else was.', isClose: origin.isJudgeSure !== true };
    return isMissed
      ? { result: 'missed', sentence: 'Too many were degraded.', nearness: Math.max(1, ratio), isClose }
      : { result: 'met', sentence: 'All was well.', nearness: Math.min(0.99, ratio), isClose };
  };
  const director = limitSearchController(search, ratePerSecond, judge, undefined, origin.roomSize);
  for (let nowMs = 0; nowMs < 24 * 3_600_000; nowMs += 1000) {
    if (nowMs >= readyMs && settledMs === undefined) settledMs = readyMs;
    const target = director.next({ nowMs, wanted: viewers, settledMs });
    if (target === 'end') return { found: director.found, targets, tookMs: nowMs };
    if (!target) continue;
    targets.push(target);
    readyMs = nowMs + (Math.abs(target.viewers - viewers) / ratePerSecond) * 1000;
    viewers = target.viewers;
    settledMs = undefined;
  }
  throw new Error(`The search did not end: ${JSON.stringify(director.found)}`);
}
