import { degradedRule } from '../../domain/degraded';

/** A time in which the picture stood still. Times in ms on the clock of `performance.now()`. */
export interface Freeze {
  readonly startMs: number;
  readonly lengthMs: number;
}

/** What the picture did between two looks. */
export interface FramesSeen {
  /** Presented frames per second; undefined when it cannot be told. */
  readonly fps: number | undefined;
  /** Freezes that ended since the last look. */
  readonly ended: readonly Freeze[];
  /** A freeze that goes on. */
  readonly open: Freeze | undefined;
  /** Standing time that was recognised as a freeze since the last look, in ms. */
  readonly frozenMs: number;
}

interface Mark {
  readonly timeMs: number;
  readonly presented: number;
}

/**
 * Counts presented frames and freezes from `requestVideoFrameCallback`.
 *
 * A busy main thread delays the callback while the compositor goes on, so the callback's own counter of presented frames
 * is believed: n frames within a gap mean that the picture stood still for at least gap / n, and only that is counted.
 */
export class FrameClock {
  #last: Mark | undefined;
  #lookedAt: Mark | undefined;
  #ended: Freeze[] = [];
  #countedMs = 0;
  #endedMs = 0;
  #openMs = 0;

  /** Freezes since the start or the last `reset`; the open one included once it is recognised. */
  freezes = 0;

  constructor(private readonly freezeMs: number = degradedRule.freezeMs) {}

  /** A frame was presented; `presented` is the callback's counter of presented frames. */
  frame(timeMs: number, presented: number): void {
    const last = this.#last;
    this.#last = { timeMs, presented };
    this.#lookedAt ??= this.#last;
    if (!last || presented <= last.presented) return;
    const standingMs = (timeMs - last.timeMs) / (presented - last.presented);
    if (standingMs >= this.freezeMs) {
      if (this.#openMs === 0) this.freezes += 1;
      this.#ended.push({ startMs: last.timeMs, lengthMs: standingMs });
      this.#endedMs += standingMs;
    } else if (this.#openMs > 0) {
      // It looked frozen from here, but frames were presented meanwhile: it was this thread that stood still.
      this.freezes -= 1;
    }
    this.#openMs = 0;
  }

  /** The freeze that is going on at `nowMs`. */
  open(nowMs: number): Freeze | undefined {
    const last = this.#last;
    if (!last || nowMs - last.timeMs < this.freezeMs) return undefined;
    return { startMs: last.timeMs, lengthMs: nowMs - last.timeMs };
  }

  /**
   * What happened since the last look; call it about once a second. With `judgeOpen` false an open gap is left to the next
   * look: right after this thread was busy, callbacks may still be on their way.
   */
  look(nowMs: number, judgeOpen = true): FramesSeen {
    const open = judgeOpen ? this.open(nowMs) : undefined;
    if (open && this.#openMs === 0) this.freezes += 1;
    if (open) this.#openMs = open.lengthMs;
    const ended = this.#ended;
    this.#ended = [];
    const recognisedMs = this.#endedMs + this.#openMs;
    const frozenMs = Math.max(0, recognisedMs - this.#countedMs);
    this.#countedMs = Math.max(this.#countedMs, recognisedMs);
    return { fps: this.#rate(nowMs, open), ended, open, frozenMs };
  }

  /** The picture may be out of sight from now on: a gap that spans this moment says nothing. */
  forget(): void {
    this.#last = undefined;
    this.#lookedAt = undefined;
    this.#openMs = 0;
  }

  /** Frames over the time between the last frames of two looks, so that the rate does not depend on when the looks fall. */
  #rate(nowMs: number, open: Freeze | undefined): number | undefined {
    const from = this.#lookedAt;
    const to = this.#last;
    if (!from || !to) return undefined;
    if (to.presented === from.presented) {
      if (!open) return undefined;
      this.#lookedAt = { timeMs: nowMs, presented: to.presented };
      return 0;
    }
    this.#lookedAt = to;
    return (1000 * (to.presented - from.presented)) / (to.timeMs - from.timeMs);
  }
}
