import type { RunEvent } from '../../domain/model/run';
import type { Sample } from '../../domain/series/series';
import type { Emitter } from '../base/emitter';

/** What an active run reports; all of it leaves the run through one stream. */
export type RunOutput =
  | { readonly kind: 'samples'; readonly samples: readonly Sample[] }
  | { readonly kind: 'event'; readonly event: RunEvent }
  /** The view or the jobs have changed. */
  | { readonly kind: 'changed' }
  /** Something could not be saved. */
  | { readonly kind: 'problem'; readonly sentence: string };

export type RunStream = Emitter<RunOutput>;
