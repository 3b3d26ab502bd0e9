import type { PlanStage } from '../model/audienceValues';
import type { Audience } from '../model/plan';
import { derivedOfSearch } from '../model/searchBound';
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

/** A pull whose load profile, if any, and derived fields agree. */
export function withDerived<P extends Derived & Pick<Audience, 'stages' | 'search'>>(pull: P): P {
  if (pull.stages) return { ...pull, ...derivedOfStages(pull.stages) };
  return pull.search ? { ...pull, ...derivedOfSearch(pull.search, pull.ratePerSecond) } : pull;
}
