import { degradedRule } from '../../../domain/viewer/degraded';
import { RecentFrames } from './recentFrames';

/** A stall. Times in ms of `performance.now()`. */
export interface Stall {
  readonly startMs: number;
  readonly lengthMs: number;
}

/** Playback between two reads. */
export interface FrameCount {
  /** Presented frames per second; undefined if unknown. */
  readonly fps: number | undefined;
  /** Stalls that ended since the last read. */
  readonly ended: readonly Stall[];
  /** A stall in progress. */
  readonly open: Stall | undefined;
  /** Stalled time since the last read, in ms. */
  readonly stalledMs: number;
}

/** A rate over less is that of a burst. */
const minRateMs = 100;

interface Mark {
  readonly timeMs: number;
  readonly presented: number;
}

/** Counts presented frames and stalls from `requestVideoFrameCallback`, by its counter of presented frames. */
export class FrameClock {
  readonly #recent = new RecentFrames();
  #last: Mark | undefined;
  #lastRead: Mark | undefined;
  #ended: Stall[] = [];
  #countedMs = 0;
  #endedMs = 0;
  #openMs = 0;

  /** Stalls since the start or the last `reset`, including the open one once recognised. */
  stalls = 0;

  constructor(private readonly stallMs: number = degradedRule.stallMs) {}

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
    if (standingMs >= this.stallMs) {
      if (this.#openMs === 0) this.stalls += 1;
      this.#ended.push({ startMs: last.timeMs, lengthMs: standingMs });
      this.#endedMs += standingMs;
    } else if (this.#openMs > 0) {
      // It looked stalled, but frames were presented meanwhile: this thread was blocked.
      this.stalls -= 1;
    }
    this.#openMs = 0;
  }

  /** The stall in progress at `nowMs`. */
  open(nowMs: number): Stall | undefined {
    const last = this.#last;
    if (!last || nowMs - last.timeMs < this.stallMs) return undefined;
    return { startMs: last.timeMs, lengthMs: nowMs - last.timeMs };
  }

  /**
   * Playback since the last read; call it about once a second. With `judgeOpen` false an open gap is left to the next
   * read: right after this thread was busy, callbacks may be pending.
   */
  look(nowMs: number, judgeOpen = true): FrameCount {
    const open = judgeOpen ? this.open(nowMs) : undefined;
    if (open && this.#openMs === 0) this.stalls += 1;
    if (open) this.#openMs = open.lengthMs;
    const ended = this.#ended;
    this.#ended = [];
    const recognisedMs = this.#endedMs + this.#openMs;
    const stalledMs = Math.max(0, recognisedMs - this.#countedMs);
    this.#countedMs = Math.max(this.#countedMs, recognisedMs);
    return { fps: this.#rate(nowMs, open), ended, open, stalledMs };
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
  #rate(nowMs: number, open: Stall | undefined): number | undefined {
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
