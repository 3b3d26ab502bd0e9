import type { PlanSearch, PlanStage } from '../model/audienceValues';
import type { Audience } from '../model/plan';
import { segmentsOf, peakArrivalRate, maxViewers, totalTimeMs } from './loadProfile';

/** The fields of a pull that follow from its load profile. */
type Derived = Pick<Audience, 'viewers' | 'ratePerSecond' | 'holdMs'>;

/** The derived fields of stages: peak viewers, peak arrival rate, total planned time. */
export function derivedOfStages(stages: readonly PlanStage[]): Derived {
  const stageSegments = segmentsOf(stages);
  return {
    viewers: maxViewers(stageSegments),
    ratePerSecond: peakArrivalRate(stageSegments),
    holdMs: Math.round(totalTimeMs(stageSegments)),
  };
}

/** No search has needed a third of so many sizes for one repeat. */
const maxTrialsPerRepeat = 60;

/** The derived fields of a search: its length is unknown, so its time is the upper bound. */
export function derivedOfSearch(search: PlanSearch, ratePerSecond: number): Derived {
  const { maxViewers: viewers, settleMs, measureMs, repeats } = search;
  const trialMs = settleMs + measureMs + (viewers / ratePerSecond) * 1000;
  return { viewers, ratePerSecond, holdMs: Math.round(repeats * maxTrialsPerRepeat * trialMs) };
}

/** A pull whose load profile, if any, and derived fields agree. */
export function withDerived<P extends Derived & Pick<Audience, 'stages' | 'search'>>(pull: P): P {
  if (pull.stages) return { ...pull, ...derivedOfStages(pull.stages) };
  return pull.search ? { ...pull, ...derivedOfSearch(pull.search, pull.ratePerSecond) } : pull;
}
