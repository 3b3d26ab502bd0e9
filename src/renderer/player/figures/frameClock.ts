import { degradedRule } from '../../../domain/viewer/degraded';
import { RecentFrames } from './recentFrames';

/** A freeze. Times in ms of `performance.now()`. */
export interface Freeze {
  readonly startMs: number;
  readonly lengthMs: number;
}

/** Playback between two reads. */
export interface FrameCount {
  /** Presented frames per second; undefined if unknown. */
  readonly fps: number | undefined;
  /** Freezes that ended since the last read. */
  readonly ended: readonly Freeze[];
  /** A freeze in progress. */
  readonly open: Freeze | undefined;
  /** Frozen time since the last read, in ms. */
  readonly frozenMs: number;
}

/** A rate over less is that of a burst. */
const minRateMs = 100;

interface Mark {
  readonly timeMs: number;
  readonly presented: number;
}

/** Counts presented frames and freezes from `requestVideoFrameCallback`, by its counter of presented frames. */
export class FrameClock {
  readonly #recent = new RecentFrames();
  #last: Mark | undefined;
  #lastRead: Mark | undefined;
  #ended: Freeze[] = [];
  #countedMs = 0;
  #endedMs = 0;
  #openMs = 0;

  /** Freezes since the start or the last `reset`, including the open one once recognised. */
  freezes = 0;

  constructor(private readonly freezeMs: number = degradedRule.stallMs) {}

  /** A frame was presented; `presented` is the callback's counter of presented frames. */
  frame(timeMs: number, presented: number): void {
    const last = this.#last;
    this.#last = { timeMs, presented };
    this.#lastRead ??= this.#last;
    if (!last || presented <= last.presented) return;
    const gapMs = timeMs - last.timeMs;
    const frames = presented - last.presented;
    const standingMs = this.#recent.longestMs(gapMs, frames);
    this.#recent.add(gapMs, frames);
    if (standingMs >= this.freezeMs) {
      if (this.#openMs === 0) this.freezes += 1;
      this.#ended.push({ startMs: last.timeMs, lengthMs: standingMs });
      this.#endedMs += standingMs;
    } else if (this.#openMs > 0) {
      // It looked frozen, but frames were presented meanwhile: this thread was blocked.
      this.freezes -= 1;
    }
    this.#openMs = 0;
  }

  /** The freeze in progress at `nowMs`. */
  open(nowMs: number): Freeze | undefined {
    const last = this.#last;
    if (!last || nowMs - last.timeMs < this.freezeMs) return undefined;
    return { startMs: last.timeMs, lengthMs: nowMs - last.timeMs };
  }

  /**
   * Playback since the last read; call it about once a second. With `judgeOpen` false an open gap is left to the next
   * read: right after this thread was busy, callbacks may be pending.
   */
  look(nowMs: number, judgeOpen = true): FrameCount {
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

  /** The video may be hidden from now on: a gap across this time is ignored. */
  forget(): void {
    this.#last = undefined;
    this.#lastRead = undefined;
    this.#openMs = 0;
  }

  /**
   * Frames over the time between the last frames of two reads, so the rate does not depend on read times.
   */
  #rate(nowMs: number, open: Freeze | undefined): number | undefined {
    const from = this.#lastRead;
    const to = this.#last;
    if (!from || !to) return undefined;
    if (to.presented === from.presented) {
      if (!open) return undefined;
      this.#lastRead = { timeMs: nowMs, presented: to.presented };
      return 0;
    }
    // The first frames may be presented in a burst just before a read: the next one spans both.
    if (to.timeMs - from.timeMs < minRateMs) return undefined;
    this.#lastRead = to;
    return (1000 * (to.presented - from.presented)) / (to.timeMs - from.timeMs);
  }
}
