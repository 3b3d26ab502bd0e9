import type { Plan } from '../../../domain/plan';
import type { RunView } from '../../../domain/run';
import type { RunReader } from '../../store';
import type { Director } from './director';
import { StagedDirector } from './stagedDirector';

/** What a director may look at besides its house. */
export interface Evidence {
  /** The run as it is now. */
  readonly view: () => RunView;
  /** Reads the samples of the run so far. */
  readonly reading: <T>(read: (reader: RunReader) => T) => T;
}

/** Who leads the plan's audience; undefined where it comes once, stays and leaves. */
export function directorOf({ pull }: Plan, _evidence: Evidence): Director | undefined {
  return pull.stages ? new StagedDirector(pull.stages) : undefined;
}
