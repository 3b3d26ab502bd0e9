import type { Stall } from '../figures/frameClock';

export interface ClipRules {
  /** Video before a stall. */
  readonly beforeMs: number;
  /** Video after its end. */
  readonly afterMs: number;
  /** Stalls within one clip of this length share it. */
  readonly maxMs: number;
}

export const usualClipRules: ClipRules = { beforeMs: 10_000, afterMs: 10_000, maxMs: 30_000 };

/** What a clip should show. Times in ms of `performance.now()`. */
export interface ClipInterval {
  readonly fromMs: number;
  readonly toMs: number;
  /** At least one. */
  readonly stalls: readonly [Stall, ...Stall[]];
}

/** Which parts of the video become clips, so that none overlap. */
export class ClipIntervals {
  readonly rules: ClipRules;
  #open: ClipInterval[] = [];
  #openStall: Stall | undefined;
  #lastToMs = Number.NEGATIVE_INFINITY;

  constructor(rules: ClipRules = usualClipRules) {
    this.rules = rules;
  }

  /** The stall in progress, whose length isn't known yet. */
  watch(open: Stall | undefined): void {
    this.#openStall = open;
  }

  /** A stall has ended. */
  add(stall: Stall): void {
    const { beforeMs, afterMs, maxMs } = this.rules;
    const endMs = stall.startMs + stall.lengthMs;
    const last = this.#open.at(-1);
    if (last && stall.startMs <= last.toMs && endMs <= last.fromMs + maxMs) {
      const toMs = Math.min(Math.max(last.toMs, endMs + afterMs), last.fromMs + maxMs);
      this.#open[this.#open.length - 1] = { ...last, toMs, stalls: [...last.stalls, stall] };
      return;
    }
    // What is between two stalls is divided, so that both clips show what was before and after.
    const betweenMs = last && (endOf(last) + stall.startMs) / 2;
    const fromMs = Math.max(stall.startMs - beforeMs, betweenMs ?? this.#lastToMs);
    if (last) this.#open[this.#open.length - 1] = { ...last, toMs: Math.min(last.toMs, fromMs) };
    this.#open.push({ fromMs, toMs: Math.min(endMs + afterMs, fromMs + maxMs), stalls: [stall] });
  }

  /** Video from this time on is needed; undefined: none. */
  get neededFromMs(): number | undefined {
    const watched = this.#openStall && this.#openStall.startMs - this.rules.beforeMs;
    const waiting = this.#open[0]?.fromMs;
    return watched === undefined || waiting === undefined ? (watched ?? waiting) : Math.min(watched, waiting);
  }

  /** The intervals that are over; with `isEnd` all of them, since no more video follows. */
  due(nowMs: number, isEnd = false): ClipInterval[] {
    const due = this.#open.filter((interval) => isEnd || (interval.toMs <= nowMs && !this.#mayGrow(interval, nowMs)));
    this.#open = this.#open.filter((interval) => !due.includes(interval));
    this.#lastToMs = Math.max(this.#lastToMs, ...due.map(({ toMs }) => Math.min(toMs, nowMs)));
    return due;
  }

  /** A stall that began in it may end in it too. */
  #mayGrow({ fromMs, toMs }: ClipInterval, nowMs: number): boolean {
    const startMs = this.#openStall?.startMs ?? Number.POSITIVE_INFINITY;
    return startMs <= toMs && nowMs < fromMs + this.rules.maxMs;
  }

  /** Another connection follows: what it shows has no stall of this one. */
  forget(): void {
    this.#open = [];
    this.#openStall = undefined;
  }
}

function endOf({ stalls }: ClipInterval): number {
  return Math.max(...stalls.map(({ startMs, lengthMs }) => startMs + lengthMs));
}
