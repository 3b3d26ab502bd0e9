import type { RunView } from '../../../domain/model/run';
import type { SeriesId } from '../../../domain/series/series';
import type { SeriesValues } from '../../store';

/** What a controller may read besides the state of its audience. */
export interface ControllerEvidence {
  /** The current run. */
  view(): RunView;
  /** One series of one node so far, `toMs` excluded: from memory, since a controller never waits for a disk. */
  values(node: string, series: SeriesId, fromMs: number, toMs: number): SeriesValues;
}
