import type { PlanSearch } from '../model/audienceValues';
import { LimitSearch } from '../search/limitSearch';

/** Recovery is judged over at most this long: older measurements of the bad time must not count for ever. */
const maxRecoveryMs = 5000;
/** The controller acts once a second, so each step ends with the first whole second after it is due. */
const tickMs = 1000;
/** The limit is unknown: the mean is taken over so many possible ones, evenly spaced by their logarithm. */
const ceilings = 9;

/** The interval over which the recovery of the remaining viewers is judged. */
export function recoveryIntervalMs({ measureMs }: Pick<PlanSearch, 'measureMs'>): number {
  return Math.min(measureMs, maxRecoveryMs);
}

/** Expected trials and duration of a search, before anything is known about the origin. */
export interface SearchEstimate {
  readonly trials: number;
  readonly ms: number;
}

/**
 * Number of sizes and duration of a search, simulated by its own rules against origins that break at one size each,
 * from its first size to its last. Repeated trials and slow recoveries are not included, so it is a mean and no bound.
 */
export function estimateSearch(search: PlanSearch, ratePerSecond: number): SearchEstimate {
  const { fromViewers, maxViewers } = search;
  const growth = maxViewers / fromViewers;
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
    const trialMs = step.kind === 'try' ? search.settleMs + search.measureMs : recoveryIntervalMs(search);
    const fromMs = ms;
    ms += Math.max(1, Math.ceil((movesMs + trialMs) / tickMs)) * tickMs;
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
