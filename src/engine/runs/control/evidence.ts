import type { RunView } from '../../../domain/model/run';
import type { RunReader } from '../../store';

/** What a director may read besides the state of its audience. */
export interface Evidence {
  /** The current run. */
  view(): RunView;
  /** Reads the samples of the run so far. */
  reading<T>(read: (reader: RunReader) => T): T;
}
