import type { PlanSearch } from '../model/audienceValues';
import type { Bracket } from './interval';
import type { SizeDecision } from './trialJudgement';

/** The next step. `recover`: ramp down to this size and wait until viewers are no longer degraded. */
export type NextStep =
  | { readonly kind: 'try' | 'recover'; readonly viewers: number }
  /** The break is between these two. */
  | { readonly kind: 'found'; readonly bracket: Bracket }
  /** The upper bound was reached: this size held. */
  | { readonly kind: 'not-reached' | 'tester-limited'; readonly maxMet: number };

/** Start of an ascent; a later one knows where to search. */
export interface SearchStart {
  /** Ramp down to this size first; absent: no viewer is disconnected. */
  readonly recoverAt?: number;
  readonly firstViewers: number;
  /** Step size; absent: a share of the current size. */
  readonly stride?: number;
}

/** Final distance of the two sizes, in whole viewers. */
export function precisionAt(viewers: number, { precisionPercent }: PlanSearch): number {
  return Math.max(1, Math.floor((viewers * precisionPercent) / 100));
}

/** After a size this close to a bound, the next one grows by this factor. */
function growthAfter(nearness: number): number {
  if (nearness < 0.5) return 2;
  return nearness < 0.8 ? 1.5 : 1.25;
}

/** A step is doubled after so many repetitions. */
const stepsOfAStride = 2;

/**
 * One search for the break from below: grows until a size no longer holds, then bisects. A system pushed over its limit
 * may stay degraded at sizes that it otherwise supports. So after each break the audience shrinks to a size that held,
 * and grows again only once no viewer is degraded.
 */
export class StepSearch {
  private low = 0;
  private high: number | undefined;
  private certainLow = 0;
  private certainHigh: number | undefined;
  private readonly disputed = new Set<number>();
  private recoverAt: number | undefined;
  private next: number;
  private strides = 0;
  private nearness = 0;
  private isUnrecoverable = false;

  constructor(
    private readonly search: PlanSearch,
    private readonly beginning: SearchStart,
    /** The smallest size at which testers reached their limit before the origin; larger sizes are not tried again. */
    private testersEnd: number | undefined,
    /** Sizes are multiples of it, and grow one by one. */
    private readonly roomSize?: number,
  ) {
    this.recoverAt = beginning.recoverAt;
    this.next = Math.min(beginning.firstViewers, this.ceiling);
  }

  /** Largest size that held in this ascent; 0 if none. */
  get maxMet(): number {
    return this.low;
  }

  /** Smallest size that did not. */
  get minMissed(): number | undefined {
    return this.high;
  }

  get testersLimitedAt(): number | undefined {
    return this.testersEnd;
  }

  get step(): NextStep {
    if (this.high !== undefined && (this.isUnrecoverable || this.isPreciseBetween(this.low, this.high)))
      return { kind: 'found', bracket: this.bracket(this.high) };
    if (this.high === undefined && this.low >= this.search.maxViewers) return { kind: 'not-reached', maxMet: this.low };
    if (
      this.high === undefined &&
      (this.isUnrecoverable || (this.testersEnd !== undefined && this.isPreciseBetween(this.low, this.testersEnd)))
    )
      return { kind: 'tester-limited', maxMet: this.low };
    return this.recoverAt === undefined
      ? { kind: 'try', viewers: this.next }
      : { kind: 'recover', viewers: this.inRooms(this.recoverAt) };
  }

  /** The result of the size that was tried. `unknown` ends the search in the caller. */
  decided({ result, isDisputed }: SizeDecision, nearness: number): void {
    const viewers = this.next;
    if (isDisputed) this.disputed.add(viewers);
    if (result === 'met') {
      this.low = Math.max(this.low, viewers);
      this.nearness = nearness;
      if (!isDisputed) this.certainLow = Math.max(this.certainLow, viewers);
    } else if (result === 'missed') {
      this.high = Math.min(this.high ?? Infinity, viewers);
      if (!isDisputed) this.certainHigh = Math.min(this.certainHigh ?? Infinity, viewers);
    } else this.testersEnd = Math.min(this.testersEnd ?? Infinity, viewers);
    this.next = this.nextSize();
    if (result !== 'met') this.recoverAt = this.low > 0 ? this.low : Math.max(1, Math.floor(this.next * 0.7));
  }

  /** Whether the remaining viewers have recovered. If not, fewer are tried, down to one. */
  recovered(hasRecovered: boolean): void {
    if (hasRecovered) this.recoverAt = undefined;
    else if ((this.recoverAt ?? 1) <= (this.roomSize ?? 1)) this.isUnrecoverable = true;
    else this.recoverAt = Math.floor((this.recoverAt ?? 2) / 2);
  }

  private get ceiling(): number {
    return this.inRooms(Math.min(this.search.maxViewers, (this.testersEnd ?? Infinity) - 1));
  }

  private isPreciseBetween(low: number, high: number): boolean {
    return high - low <= (this.roomSize ?? precisionAt(high, this.search));
  }

  private nextSize(): number {
    const { low, high, beginning } = this;
    const end = high ?? this.testersEnd;
    if (this.roomSize !== undefined) return end === undefined ? low + this.roomSize : this.inRooms(end - this.roomSize);
    if (end === undefined) {
      const nextSize =
        beginning.stride === undefined
          ? Math.max(low + 1, Math.round(low * growthAfter(this.nearness)))
          : low + this.takeStride(beginning.stride);
      return Math.min(nextSize, this.ceiling);
    }
    if (low === 0 && beginning.stride !== undefined) return Math.max(1, end - this.takeStride(beginning.stride));
    const middle = Math.floor((low + end) / 2);
    return Math.max(low + 1, Math.min(middle, end - 1));
  }

  /** Full rooms of so many participants, at least one. */
  private inRooms(viewers: number): number {
    const { roomSize = 1 } = this;
    return Math.max(1, Math.floor(viewers / roomSize)) * roomSize;
  }

  private takeStride(stride: number): number {
    const doubled = Math.floor(this.strides / stepsOfAStride);
    this.strides += 1;
    return stride * 2 ** doubled;
  }

  /**
   * A size with contradicting trials is no bound: the end moves to the next certain one, or a step further; not to more
   * rooms, which were never tried.
   */
  private bracket(high: number): Bracket {
    const step = Math.max(this.roomSize ?? precisionAt(high, this.search), high - this.low);
    return {
      maxMet: this.disputed.has(this.low) ? Math.max(0, Math.max(this.certainLow, this.low - step)) : this.low,
      minMissed:
        this.disputed.has(high) && this.roomSize === undefined
          ? Math.min(this.certainHigh ?? Infinity, high + step)
          : high,
    };
  }
}
