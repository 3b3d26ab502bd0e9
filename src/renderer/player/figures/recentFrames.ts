/** As many of the last intervals determine the usual display time of a frame, as in W3C webrtc-stats (`freezeCount`). */
const keptIntervals = 30;
/** The display time of fewer frames is not known well enough. */
const minFrames = 10;
/** Bounds of the usual display time until then: the first frames may come in a burst, or late. */
const assumedMs = { min: 50, max: 100 };

/** How long frames are usually displayed, from the intervals between calls of `requestVideoFrameCallback`. */
export class RecentFrames {
  #intervals: { readonly ms: number; readonly frames: number }[] = [];

  /** So many frames were presented within `ms`. */
  add(ms: number, frames: number): void {
    this.#intervals = [...this.#intervals, { ms, frames }].slice(-keptIntervals);
  }

  /** Mean display time of a frame in ms; undefined if too few frames are known. */
  get usualMs(): number | undefined {
    return this.#sum('frames') < minFrames ? undefined : this.#meanMs;
  }

  /**
   * How long one of the frames that were presented within `ms` was displayed at least, if the others were displayed as
   * long as usual. A busy main thread delays the callback while the compositor continues; after a stall several late
   * frames follow each other, which the callback may report together.
   */
  longestMs(ms: number, frames: number): number {
    const { min, max } = assumedMs;
    const assumed = Number.isNaN(this.#meanMs) ? max : Math.min(max, Math.max(min, this.#meanMs));
    return Math.max(ms / frames, ms - (frames - 1) * (this.usualMs ?? assumed));
  }

  /** NaN without a frame. */
  get #meanMs(): number {
    return this.#sum('ms') / this.#sum('frames');
  }

  #sum(of: 'ms' | 'frames'): number {
    return this.#intervals.reduce((total, interval) => total + interval[of], 0);
  }
}
