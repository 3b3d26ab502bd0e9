import type { NodeView } from '../../domain/node';
import type { Phase, RunEvent, VerdictReason } from '../../domain/run';
import type { TimeRange } from './axisRange';
import type { Palette } from './palette';
import type { SampleStore } from './sampleStore';

/** A stretch of time in which figures made by viewers are doubtful, since their tester was at its own limit. */
export interface DoubtfulStretch {
  readonly fromMs: number;
  readonly toMs?: number;
  /** Written on the plot, e.g. `tester-limited`. */
  readonly label: string;
}

/** Expected course of the viewers, drawn dotted into what is to come. Unix ms and viewers. */
export interface Extrapolation {
  readonly fromMs: number;
  readonly fromValue: number;
  readonly toMs: number;
  readonly toValue: number;
}

/** Everything that all cards draw from, at one moment. Times are Unix ms, but for `range` and `nowMs` (since the start). */
export interface Scene {
  readonly store: SampleStore;
  readonly nodes: readonly NodeView[];
  readonly startedMs: number;
  readonly nowMs: number;
  readonly ended: boolean;
  readonly range: TimeRange;
  readonly phases: readonly Phase[];
  readonly events: readonly RunEvent[];
  readonly reasons: readonly VerdictReason[];
  readonly isolated: ReadonlySet<string>;
  readonly hoveredNode: string | undefined;
  readonly doubtful: readonly DoubtfulStretch[];
  readonly extrapolation: Extrapolation | undefined;
  readonly palette: Palette;
}
