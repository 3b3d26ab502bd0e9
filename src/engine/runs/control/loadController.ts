import type { LimitResult } from '../../../domain/model/limitFound';

/** The state of an audience as its controller sees it. Times are Unix ms. */
export interface AudienceState {
  readonly nowMs: number;
  /** Number of viewers of the latest target. */
  readonly wanted: number;
  /**
   * Since when the audience is settled: all requested viewers have connected or failed, and all others have
   * disconnected. Absent before.
   */
  readonly settledMs?: number;
}

/** Target number of viewers from now on. */
export interface AudienceTarget {
  readonly viewers: number;
  /** Ramp rate, if viewers are to be added. */
  readonly ratePerSecond: number;
  /** This many of the oldest viewers are replaced by new ones. */
  readonly replace?: number;
  /**
   * New viewers are started in parts of at most this size, so that as few can be stopped again; default: an eighth of
   * them.
   */
  readonly grain?: number;
  /** When ramping down: rather keep a few too many for a while than add viewers to be exact. */
  readonly isPassing?: boolean;
  /** The log sentence. */
  readonly sentence?: string;
}

/** Decides on the size of an audience over time. Has no clock and no I/O; called at least once a second. */
export interface LoadController {
  /** Undefined: unchanged. `end`: all viewers disconnect, and the audience is over. */
  next(state: AudienceState): AudienceTarget | 'end' | undefined;
  /** The phase shown: whether it grows (or shrinks), or is observed. */
  readonly phase: 'ramp' | 'hold';
  /** Its planned end, Unix ms; absent where unknown. */
  readonly endsMs?: number;
  /** The result of a search so far. */
  readonly found?: LimitResult;
}
