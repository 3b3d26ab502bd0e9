import type { ChartId } from '../../domain/model/chartIds';
import type { NodeView } from '../../domain/model/node';
import type { Phase, RunEvent, VerdictReason } from '../../domain/model/run';
import type { TimeRange } from '../../domain/charts/drawing/frame';
import type { TimeScale } from '../../domain/charts/drawing/timeScale';
import type { Palette } from '../ui/palette';
import type { SampleStore } from './sampleStore';

/** An interval in which viewer metrics are unreliable because the tester was at its limit. */
export interface TesterLimitedInterval {
  readonly fromMs: number;
  readonly toMs?: number;
  /** Label in the plot, e.g. `tester-limited`. */
  readonly label: string;
}

/** Expected viewers over time, drawn dotted into the future. Unix ms and viewers. */
export interface Extrapolation {
  readonly fromMs: number;
  readonly fromValue: number;
  readonly toMs: number;
  readonly toValue: number;
}

/** A run that took place while the fleet was watched, Unix ms. */
export interface WatchedRun extends TimeRange {
  readonly id: string;
  readonly name: string;
}

/** The state that all cards draw. Times are Unix ms, except `range` and `nowMs` (since the start). */
export interface Scene {
  readonly store: SampleStore;
  readonly nodes: readonly NodeView[];
  readonly startedMs: number;
  readonly nowMs: number;
  readonly ended: boolean;
  readonly range: TimeRange;
  /** Labels of the axis. */
  readonly timeScale: TimeScale;
  readonly phases: readonly Phase[];
  /** Runs in the range of a watched fleet. */
  readonly runs: readonly WatchedRun[];
  readonly events: readonly RunEvent[];
  readonly reasons: readonly VerdictReason[];
  readonly isolated: ReadonlySet<string>;
  readonly hoveredNode: string | undefined;
  /** Charts drawn as mean and band where they have many lines. */
  readonly banded: ReadonlySet<ChartId>;
  readonly doubtful: readonly TesterLimitedInterval[];
  readonly extrapolation: Extrapolation | undefined;
  readonly palette: Palette;
}
