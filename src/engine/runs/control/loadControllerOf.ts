import type { ControllerEvidence } from './evidence';
import type { Plan } from '../../../domain/model/plan';
import type { LoadController } from './loadController';
import { limitSearchController } from './limitSearchController';
import { searchJudge } from './searchJudge';
import { StagedLoadController } from './stagedLoadController';

/** The controller of the plan's audience; undefined for an audience with one ramp, hold and drain. */
export function loadControllerOf({ pull }: Plan, evidence: ControllerEvidence): LoadController | undefined {
  const { search, stages, ratePerSecond, rooms } = pull;
  if (search) {
    const { judge, explain } = searchJudge(pull, evidence);
    return limitSearchController(search, ratePerSecond, judge, explain, rooms?.size);
  }
  return stages ? new StagedLoadController(stages) : undefined;
}
