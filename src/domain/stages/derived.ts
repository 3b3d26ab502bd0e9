import type { PlanPull, PlanSearch, PlanStage } from '../plan/plan';
import { courseOf, fastestArrivals, mostViewers, wholeTimeMs } from './course';

/** The fields of a pull that follow from its own course. */
type Derived = Pick<PlanPull, 'viewers' | 'ratePerSecond' | 'holdMs'>;

/** What stages come to in the fields that every pull has: the most viewers, the fastest arrivals, the whole planned time. */
export function derivedOfStages(stages: readonly PlanStage[]): Derived {
  const course = courseOf(stages);
  return {
    viewers: mostViewers(course),
    ratePerSecond: fastestArrivals(course),
    holdMs: Math.round(wholeTimeMs(course)),
  };
}

/** No search has needed a third of so many sizes for one repeat. */
const mostTrialsPerRepeat = 60;

/** What a search comes to: nobody knows how long it takes, so its time is what it is bound by. */
export function derivedOfSearch(search: PlanSearch, ratePerSecond: number): Derived {
  const { mostViewers: viewers, settleMs, measureMs, repeats } = search;
  const trialMs = settleMs + measureMs + (viewers / ratePerSecond) * 1000;
  return { viewers, ratePerSecond, holdMs: Math.round(repeats * mostTrialsPerRepeat * trialMs) };
}

/** A pull whose own course, if it has one, and the fields that follow from it agree. */
export function withDerived<P extends Derived & Pick<PlanPull, 'stages' | 'search'>>(pull: P): P {
  if (pull.stages) return { ...pull, ...derivedOfStages(pull.stages) };
  return pull.search ? { ...pull, ...derivedOfSearch(pull.search, pull.ratePerSecond) } : pull;
}
