import type { FrameCount, Freeze } from './frameClock';
import type { QualityFreeze, QualityHistory, QualitySecond } from './qualityStrip';

const secondMs = 1000;

/** Data of the quality strip in wall clock time; freezes arrive in `performance.now()` time. */
export class QualityLog {
  readonly #seconds: QualitySecond[] = [];
  #ended: QualityFreeze[] = [];
  #open: QualityFreeze[] = [];

  constructor(private readonly startMs: number) {}

  /**
   * Adds the second that ends at `wallMs`, which is `steadyMs` on the other clock. `fps` is undefined without playback.
   */
  add(wallMs: number, steadyMs: number, fps: number | undefined, seen?: FrameCount): void {
    const onWall = (freeze: Freeze, open: boolean): QualityFreeze => ({
      startMs: wallMs - (steadyMs - freeze.startMs),
      lengthMs: freeze.lengthMs,
      open,
    });
    this.#seconds.push({ timeMs: wallMs - secondMs, fps });
    this.#ended = [...this.#ended, ...(seen?.ended ?? []).map((freeze) => onWall(freeze, false))];
    this.#open = seen?.open ? [onWall(seen.open, true)] : [];
  }

  /** Everything so far. The seconds are the log's own growing list, to avoid copying an hour of them each second. */
  history(): QualityHistory {
    return { startMs: this.startMs, seconds: this.#seconds, freezes: [...this.#ended, ...this.#open] };
  }
}
