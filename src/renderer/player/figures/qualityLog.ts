import type { FrameCount, Freeze } from './frameClock';
import { historyMs, type QualityFreeze, type QualityHistory, type QualitySecond } from './qualityStrip';

const secondMs = 1000;

/** The last five minutes in wall clock time; freezes arrive in `performance.now()` time. */
export class QualityLog {
  #seconds: QualitySecond[] = [];
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
    const isShown = (endMs: number): boolean => wallMs - endMs <= historyMs;
    this.#seconds = [...this.#seconds.filter(({ timeMs }) => isShown(timeMs)), { timeMs: wallMs - secondMs, fps }];
    const ended = (seen?.ended ?? []).map((freeze) => onWall(freeze, false));
    this.#ended = [...this.#ended.filter((freeze) => isShown(freeze.startMs + freeze.lengthMs)), ...ended];
    this.#open = seen?.open ? [onWall(seen.open, true)] : [];
  }

  history(): QualityHistory {
    return { startMs: this.startMs, seconds: this.#seconds, freezes: [...this.#ended, ...this.#open] };
  }
}
