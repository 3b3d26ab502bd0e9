import { estimateSearch } from '../search/searchEstimate';
import { audiencesOf } from '../shares';
import type { Plan } from './plan';

/** From the first arrival to the end of the hold; undefined when it has no end of its own, or when that depends on what is measured. */
export function lengthMs(
  pull: Pick<Plan['pull'], 'viewers' | 'ratePerSecond' | 'holdMs' | 'stages' | 'search'>,
): number | undefined {
  // Nobody knows how long a search takes; stages know their whole time.
  if (pull.search) return undefined;
  if (pull.stages) return pull.holdMs;
  return pull.holdMs === 0 ? undefined : arrivalMs(pull) + pull.holdMs;
}

/** From the first arrival to the last, at the rate asked for. */
export function arrivalMs(pull: Pick<Plan['pull'], 'viewers' | 'ratePerSecond'>): number {
  return (1000 * pull.viewers) / pull.ratePerSecond;
}

/** How large a plan is, for a list of plans. */
export interface PlanSize {
  /** The most at once, of all audiences together. */
  readonly viewers: number;
  /** Of the longest audience; absent where one has no end of its own. */
  readonly lengthMs?: number;
  /** A search: its length is what it takes on average, and its viewers are where it ends at the latest. */
  readonly isSearch?: true;
}

export function sizeOf(plan: Plan): PlanSize {
  const audiences = audiencesOf(plan);
  const viewers = audiences.reduce((sum, audience) => sum + audience.viewers, 0);
  const lengths = audiences.map((pull) =>
    pull.search ? estimateSearch(pull.search, pull.ratePerSecond).ms : lengthMs(pull),
  );
  const known = lengths.filter((length) => length !== undefined);
  return {
    viewers,
    ...(known.length === lengths.length ? { lengthMs: Math.round(Math.max(...known)) } : {}),
    ...(audiences.some(({ search }) => search) ? { isSearch: true } : {}),
  };
}
