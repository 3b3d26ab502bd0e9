import type { PlanSearch } from '../plan/plan';
import type { Bracket } from './interval';
import type { Decision } from './trialJudgement';

/** What has to be done next. `recover`: go down to so many and wait until they watch well. */
export type Step =
  | { readonly kind: 'try' | 'recover'; readonly viewers: number }
  /** The break is between these two. */
  | { readonly kind: 'found'; readonly bracket: Bracket }
  /** Nobody may look further up: so many held. */
  | { readonly kind: 'not-reached' | 'tester-limited'; readonly held: number };

/** Where an ascent begins; a later one knows where to look. */
export interface Beginning {
  /** It is gone down to this first; nobody is sent home where it is absent. */
  readonly recoverAt?: number;
  readonly firstViewers: number;
  /** By how much the size grows; absent: by a share of itself. */
  readonly stride?: number;
}

/** Whole viewers that two sizes may lie apart in the end. */
export function precisionAt(viewers: number, { precisionPercent }: PlanSearch): number {
  return Math.max(1, Math.floor((viewers * precisionPercent) / 100));
}

/** After a size that came so near a bound, the next one grows by this factor. */
function growthAfter(nearness: number): number {
  if (nearness < 0.5) return 2;
  return nearness < 0.8 ? 1.5 : 1.25;
}

/** A step is doubled once it was made so often. */
const stepsOfAStride = 2;

/**
 * One search for the break from below: rises until a size no longer holds, then halves the stretch between. A system that was pushed over
 * its limit may stay broken at sizes that it carries when they come fresh, so after each break the audience shrinks to what held, and rises
 * again only once that watches well.
 */
export class Ascent {
  private low = 0;
  private high: number | undefined;
  private sureLow = 0;
  private sureHigh: number | undefined;
  private readonly disputed = new Set<number>();
  private recoverAt: number | undefined;
  private next: number;
  private strides = 0;
  private nearness = 0;
  private isBeyondHelp = false;

  constructor(
    private readonly search: PlanSearch,
    private readonly beginning: Beginning,
    /** The smallest size at which testers gave out before the origin did; nobody looks there again. */
    private testersEnd: number | undefined,
  ) {
    this.recoverAt = beginning.recoverAt;
    this.next = Math.min(beginning.firstViewers, this.ceiling);
  }

  /** Largest size that held in here; 0 where none did. */
  get held(): number {
    return this.low;
  }

  /** Smallest that did not. */
  get broke(): number | undefined {
    return this.high;
  }

  get testersGaveOutAt(): number | undefined {
    return this.testersEnd;
  }

  get step(): Step {
    if (this.high !== undefined && (this.isBeyondHelp || this.isPreciseBetween(this.low, this.high)))
      return { kind: 'found', bracket: this.bracket(this.high) };
    if (this.high === undefined && this.low >= this.search.mostViewers)
      return { kind: 'not-reached', held: this.low };
    if (
      this.high === undefined &&
      (this.isBeyondHelp ||
        (this.testersEnd !== undefined && this.isPreciseBetween(this.low, this.testersEnd)))
    )
      return { kind: 'tester-limited', held: this.low };
    return this.recoverAt === undefined
      ? { kind: 'try', viewers: this.next }
      : { kind: 'recover', viewers: this.recoverAt };
  }

  /** What came of the size that was tried. `unknown` is the caller's to end. */
  decided({ result, isDisputed }: Decision, nearness: number): void {
    const viewers = this.next;
    if (isDisputed) this.disputed.add(viewers);
    if (result === 'met') {
      this.low = Math.max(this.low, viewers);
      this.nearness = nearness;
      if (!isDisputed) this.sureLow = Math.max(this.sureLow, viewers);
    } else if (result === 'missed') {
      this.high = Math.min(this.high ?? Infinity, viewers);
      if (!isDisputed) this.sureHigh = Math.min(this.sureHigh ?? Infinity, viewers);
    } else this.testersEnd = Math.min(this.testersEnd ?? Infinity, viewers);
    this.next = this.nextSize();
    if (result !== 'met') this.recoverAt = this.low > 0 ? this.low : Math.max(1, Math.floor(this.next * 0.7));
  }

  /** Whether those who stayed watch well again. Where they don't, fewer are tried, down to one. */
  recovered(isWell: boolean): void {
    if (isWell) this.recoverAt = undefined;
    else if ((this.recoverAt ?? 1) <= 1) this.isBeyondHelp = true;
    else this.recoverAt = Math.floor((this.recoverAt ?? 2) / 2);
  }

  private get ceiling(): number {
    return Math.max(1, Math.min(this.search.mostViewers, (this.testersEnd ?? Infinity) - 1));
  }

  private isPreciseBetween(low: number, high: number): boolean {
    return high - low <= precisionAt(high, this.search);
  }

  private nextSize(): number {
    const { low, high, beginning } = this;
    const end = high ?? this.testersEnd;
    if (end === undefined) {
      const wanted =
        beginning.stride === undefined
          ? Math.max(low + 1, Math.round(low * growthAfter(this.nearness)))
          : low + this.takeStride(beginning.stride);
      return Math.min(wanted, this.ceiling);
    }
    if (low === 0 && beginning.stride !== undefined)
      return Math.max(1, end - this.takeStride(beginning.stride));
    const middle = Math.floor((low + end) / 2);
    return Math.max(low + 1, Math.min(middle, end - 1));
  }

  private takeStride(stride: number): number {
    const doubled = Math.floor(this.strides / stepsOfAStride);
    this.strides += 1;
    return stride * 2 ** doubled;
  }

  /** A size that the looks did not agree about bounds nothing: the end moves on to the next that was sure, or a step further. */
  private bracket(high: number): Bracket {
    const step = Math.max(precisionAt(high, this.search), high - this.low);
    return {
      held: this.disputed.has(this.low) ? Math.max(0, Math.max(this.sureLow, this.low - step)) : this.low,
      broke: this.disputed.has(high) ? Math.min(this.sureHigh ?? Infinity, high + step) : high,
    };
  }
}
