import { gapSteps } from '../series/gap';
import type { Level } from './rules';

/** Back within the limit for this long, or for the rule's own time if that is shorter. */
const longestClearMs = 30_000;

export type Crossing =
  | { readonly crossing: 'over'; readonly sinceMs: number; readonly worst: number }
  | { readonly crossing: 'back'; readonly sinceMs: number };

/** Watches one series for a limit that is broken, or kept again, for some time. */
export class LevelWatch {
  private lastMs: number | undefined;
  /** The usual time between two values, learned from them. */
  private stepMs = Infinity;
  /** The first value on the other side, and for how long values were there. */
  private since: { readonly timeMs: number; readonly countedMs: number; readonly worst: number } | undefined;

  constructor(
    readonly level: Level,
    public isOver = false,
  ) {}

  /** A time without values counts for nothing: it neither breaks the limit nor ends that. */
  take(timeMs: number, value: number): Crossing | undefined {
    const { limit, isUpper, clear, forMs } = this.level;
    const passedMs = this.lastMs === undefined ? 0 : timeMs - this.lastMs;
    // Late, or by a clock that was set back.
    if (passedMs < 0) {
      this.pause();
      this.lastMs = timeMs;
      return undefined;
    }
    const isGap = passedMs > gapSteps * this.stepMs;
    // Grows slowly, so that a source that became slower is followed.
    if (passedMs > 0) this.stepMs = Math.min(passedMs, this.stepMs * 1.2);
    this.lastMs = timeMs;
    const isBeyond = isUpper ? value > limit : value < limit;
    const isClear = isUpper ? value <= clear : value >= clear;
    const isOther = this.isOver ? isClear : isBeyond;
    if (!isOther) {
      this.since = undefined;
      return undefined;
    }
    const worst = this.since ? Math[isUpper ? 'max' : 'min'](this.since.worst, value) : value;
    const countedMs = this.since ? this.since.countedMs + (isGap ? 0 : passedMs) : 0;
    this.since = { timeMs: this.since?.timeMs ?? timeMs, countedMs, worst };
    if (countedMs < (this.isOver ? Math.min(forMs, longestClearMs) : forMs)) return undefined;
    const { timeMs: sinceMs } = this.since;
    this.since = undefined;
    this.isOver = !this.isOver;
    return this.isOver ? { crossing: 'over', sinceMs, worst } : { crossing: 'back', sinceMs };
  }

  /** Nothing was watched for a while: what had begun has not lasted. */
  pause(): void {
    this.since = undefined;
    this.lastMs = undefined;
  }
}
