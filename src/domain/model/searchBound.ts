import type { PlanSearch } from './audienceValues';
import type { Audience } from './plan';

/** No search has needed a third of so many sizes for one repeat. */
const maxTrialsPerRepeat = 60;

/** The derived fields of a search: its length is unknown, so its time is the upper bound. */
export function derivedOfSearch(
  search: PlanSearch,
  ratePerSecond: number,
): Pick<Audience, 'viewers' | 'ratePerSecond' | 'holdMs'> {
  const { maxViewers: viewers, settleMs, measureMs, repeats } = search;
  const trialMs = settleMs + measureMs + (viewers / ratePerSecond) * 1000;
  return { viewers, ratePerSecond, holdMs: Math.round(repeats * maxTrialsPerRepeat * trialMs) };
}
