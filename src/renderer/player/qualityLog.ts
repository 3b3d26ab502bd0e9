import type { FramesSeen, Freeze } from './frameClock';
import type { QualityFreeze, QualityHistory, QualitySecond } from './qualityStrip';

const secondMs = 1000;

/** Collects what the quality strip shows, by the wall clock: freezes come on the clock of `performance.now()`. */
export class QualityLog {
  readonly #seconds: QualitySecond[] = [];
  #ended: QualityFreeze[] = [];
  #open: QualityFreeze[] = [];

  constructor(private readonly startMs: number) {}

  /**
   * Adds the second that ends at `wallMs`, which is `steadyMs` on the other clock. `fps` is undefined when nothing played.
   */
  add(wallMs: number, steadyMs: number, fps: number | undefined, seen?: FramesSeen): void {
    const onWall = (freeze: Freeze, open: boolean): QualityFreeze => ({
      startMs: wallMs - (steadyMs - freeze.startMs),
      lengthMs: freeze.lengthMs,
      open,
    });
    this.#seconds.push({ timeMs: wallMs - secondMs, fps });
    this.#ended = [...this.#ended, ...(seen?.ended ?? []).map((freeze) => onWall(freeze, false))];
    this.#open = seen?.open ? [onWall(seen.open, true)] : [];
  }

  /** Everything so far. The seconds are the log's own list, which goes on growing: an hour of them is not copied each second. */
  history(): QualityHistory {
    return { startMs: this.startMs, seconds: this.#seconds, freezes: [...this.#ended, ...this.#open] };
  }
}
