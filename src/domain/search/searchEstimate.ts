import type { PlanSearch } from '../plan/plan';
import { LimitSearch } from './limitSearch';

/** Recovery is looked at over so long at most: what was measured while it was bad must not count for ever. */
const longestRecoveryLookMs = 5000;
/** The director acts once a second, so each step ends with the first whole second after it is due. */
const beatMs = 1000;
/** The limit is not known before: the mean is taken over so many possible ones, spread evenly by their logarithm. */
const ceilings = 9;

/** Over how long it is judged whether the viewers who stayed after a break watch well again. */
export function recoveryLookMs({ measureMs }: Pick<PlanSearch, 'measureMs'>): number {
  return Math.min(measureMs, longestRecoveryLookMs);
}

/** What a search is expected to take, before anything is known of the origin. */
export interface SearchEstimate {
  readonly trials: number;
  readonly ms: number;
}

/**
 * How many sizes a search tries and how long that takes, by its own rules: it is played through against origins that break at one size each,
 * from its first size to its last. Looks that have to be repeated and slow recoveries come on top, so it is a mean and no bound.
 */
export function estimateSearch(search: PlanSearch, ratePerSecond: number): SearchEstimate {
  const { fromViewers, mostViewers } = search;
  const growth = mostViewers / fromViewers;
  let [trials, ms] = [0, 0];
  for (let i = 0; i < ceilings; i += 1) {
    const ceiling = Math.max(1, Math.round(fromViewers * growth ** ((i + 0.5) / ceilings)));
    const played = playSearch(search, ratePerSecond, ceiling);
    trials += played.trials / ceilings;
    ms += played.ms / ceilings;
  }
  return { trials: Math.round(trials), ms: Math.round(ms) };
}

function playSearch(search: PlanSearch, ratePerSecond: number, ceiling: number): SearchEstimate {
  const steps = new LimitSearch(search);
  let [viewers, trials, ms] = [0, 0, 0];
  // The search bounds its own trials; each break adds one recovery.
  for (let { step } = steps; step.kind !== 'done'; { step } = steps) {
    const movesMs = (Math.abs(step.viewers - viewers) / ratePerSecond) * 1000;
    viewers = step.viewers;
    const looksMs = step.kind === 'try' ? search.settleMs + search.measureMs : recoveryLookMs(search);
    const fromMs = ms;
    ms += Math.max(1, Math.ceil((movesMs + looksMs) / beatMs)) * beatMs;
    if (step.kind === 'recover') {
      steps.recovered(viewers < ceiling);
      continue;
    }
    trials += 1;
    const ratio = viewers / ceiling;
    steps.seen(
      ratio >= 1
        ? { result: 'missed', sentence: '', nearness: ratio }
        : { result: 'met', sentence: '', nearness: ratio },
      fromMs,
      ms,
    );
  }
  return { trials, ms };
}
