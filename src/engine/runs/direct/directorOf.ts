import type { Plan } from '../../../domain/plan/plan';
import type { RunView } from '../../../domain/run';
import type { RunReader } from '../../store';
import type { Director } from './director';
import { searchDirector } from './searchDirector';
import { searchJudge } from './searchJudge';
import { StagedDirector } from './stagedDirector';

/** What a director may look at besides its house. */
export interface Evidence {
  /** The run as it is now. */
  readonly view: () => RunView;
  /** Reads the samples of the run so far. */
  readonly reading: <T>(read: (reader: RunReader) => T) => T;
}

/** Who leads the plan's audience; undefined where it comes once, stays and leaves. */
export function directorOf({ pull }: Plan, evidence: Evidence): Director | undefined {
  const { search, stages, ratePerSecond } = pull;
  if (search) {
    const { judge, explain } = searchJudge(pull, evidence);
    return searchDirector(search, ratePerSecond, judge, explain);
  }
  return stages ? new StagedDirector(stages) : undefined;
}
