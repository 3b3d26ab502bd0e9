import type { FrameCount, Stall } from './frameClock';
import { historyMs, type QualityStall, type QualityHistory, type QualitySecond } from './qualityStrip';

const secondMs = 1000;

/** The last five minutes in wall clock time; stalls arrive in `performance.now()` time. */
export class QualityLog {
  #seconds: QualitySecond[] = [];
  #ended: QualityStall[] = [];
  #open: QualityStall[] = [];

  constructor(private readonly startMs: number) {}

  /**
   * Adds the second that ends at `wallMs`, which is `steadyMs` on the other clock. `fps` is undefined without playback.
   */
  add(wallMs: number, steadyMs: number, fps: number | undefined, seen?: FrameCount): void {
    const onWall = (stall: Stall, open: boolean): QualityStall => ({
      startMs: wallMs - (steadyMs - stall.startMs),
      lengthMs: stall.lengthMs,
      open,
    });
    const isShown = (endMs: number): boolean => wallMs - endMs <= historyMs;
    this.#seconds = [...this.#seconds.filter(({ timeMs }) => isShown(timeMs)), { timeMs: wallMs - secondMs, fps }];
    const ended = (seen?.ended ?? []).map((stall) => onWall(stall, false));
    this.#ended = [...this.#ended.filter((stall) => isShown(stall.startMs + stall.lengthMs)), ...ended];
    this.#open = seen?.open ? [onWall(seen.open, true)] : [];
  }

  history(): QualityHistory {
    return { startMs: this.startMs, seconds: this.#seconds, stalls: [...this.#ended, ...this.#open] };
  }
}
