import { freezeLimitMs, type WatchedFigures } from '../../../domain/spotCheck/measuredRating';
import { degradedRule } from '../../../domain/viewer/degraded';
import { RecentFrames } from '../../player/figures/recentFrames';

interface Mark {
  readonly timeMs: number;
  readonly presented: number;
}

/**
 * Freezes and frame rate of what a person watched, from `requestVideoFrameCallback`. Unlike the clock of the control
 * player it also counts short freezes, interruptions of playback, and only the time while the picture was visible.
 */
export class WatchedFrames {
  #last: Mark | undefined;
  #isOn = false;
  readonly #recent = new RecentFrames();
  #watchedMs = 0;
  /** Frames, and the time that they and freezes took. */
  #frames = 0;
  #framesMs = 0;
  #freezes = 0;
  #frozenMs = 0;
  #longestMs = 0;

  /** A frame was presented; `presented` is the callback's counter of presented frames. */
  frame(timeMs: number, presented: number): void {
    const last = this.#last;
    if (presented === last?.presented) return;
    this.#last = { timeMs, presented };
    if (!last || !this.#isOn) return;
    // A new connection counts from its own start.
    const frames = presented > last.presented ? presented - last.presented : 1;
    const ms = Math.max(0, timeMs - last.timeMs);
    this.#judge(ms, frames);
    this.#recent.add(ms, frames);
    this.#watchedMs += ms;
    this.#frames += frames;
    this.#framesMs += ms;
  }

  get hasFrame(): boolean {
    return this.#last !== undefined;
  }

  /** The person watches from now on. */
  begin(nowMs: number): void {
    this.#isOn = true;
    if (this.#last) this.#last = { ...this.#last, timeMs: nowMs };
  }

  /** The person no longer watches. */
  end(nowMs: number): void {
    const openMs = this.#openMs(nowMs);
    this.#watchedMs += openMs;
    // The time of a frame that was not displayed to its end says nothing about the rate, unless it is a freeze.
    if (this.#judge(openMs)) this.#framesMs += openMs;
    this.#isOn = false;
  }

  /** How long the person has watched. */
  watchedMs(nowMs: number): number {
    return this.#watchedMs + this.#openMs(nowMs);
  }

  /** The window was hidden: the time up to the next frame was not watched. */
  forget(): void {
    this.#last = undefined;
  }

  figures(): WatchedFigures {
    return {
      seconds: this.#watchedMs / 1000,
      freezes: this.#freezes,
      frozenMs: this.#frozenMs,
      longestFreezeMs: this.#longestMs,
      fps: this.#framesMs > 0 ? (1000 * this.#frames) / this.#framesMs : undefined,
    };
  }

  #openMs(nowMs: number): number {
    return this.#isOn && this.#last ? Math.max(0, nowMs - this.#last.timeMs) : 0;
  }

  /** Counts a freeze if one of the frames that were presented in that time was displayed for so long. */
  #judge(ms: number, frames = 1): boolean {
    const { usualMs } = this.#recent;
    const displayedMs = this.#recent.longestMs(ms, frames);
    if (displayedMs < (usualMs === undefined ? degradedRule.stallMs : freezeLimitMs(usualMs))) return false;
    this.#freezes += 1;
    this.#frozenMs += displayedMs;
    this.#longestMs = Math.max(this.#longestMs, displayedMs);
    return true;
  }
}
