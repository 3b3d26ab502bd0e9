import type { Distributions } from '../../domain/distribution/percentileValues';
import type { RunEvent } from '../../domain/model/run';
import type { Sample } from '../../domain/series/series';
import type { Emitter } from '../base/emitter';

/** What one tester's viewers of an audience reported of one interval. Each report is emitted once. */
export interface ReportedDistributions {
  /** The tester. */
  readonly node: string;
  /** Name of the audience. */
  readonly audience: string;
  readonly distributions: Distributions;
}

/** What an active run reports; all of it leaves the run through one stream. */
export type RunOutput =
  | { readonly kind: 'samples'; readonly samples: readonly Sample[] }
  | ({ readonly kind: 'distributions' } & ReportedDistributions)
  | { readonly kind: 'event'; readonly event: RunEvent }
  /** The view or the jobs have changed. */
  | { readonly kind: 'changed' }
  /** Something could not be saved. */
  | { readonly kind: 'problem'; readonly sentence: string };

export type RunStream = Emitter<RunOutput>;
