import { drawPace } from './drawPace';

/** Engine time and this machine's clock are so close that the difference is transport delay. */
const sameTimeMs = 3000;

/**
 * Time for ages and elapsed time; updates twice a second, pauses while the window is hidden. During a run it is the
 * engine's time, which is unaffected by changes of this machine's clock.
 */
export class Clock {
  nowMs = $state(Date.now());
  /** By the clock of this machine. */
  localMs = $state(Date.now());
  /** Ages and elapsed times stand still. */
  isPaused = false;
  #aheadMs = 0;
  readonly #timer = setInterval(() => {
    if (!drawPace.isHidden) this.#move();
  }, 500);

  /** The current time, without waiting for the next update. */
  readonly now = (): number => Date.now() + this.#aheadMs;

  /** Follows the time of the active run; without one, this machine's. */
  follow(engineMs: number | undefined): void {
    const aheadMs = engineMs === undefined ? 0 : engineMs - Date.now();
    this.#aheadMs = Math.abs(aheadMs) < sameTimeMs ? 0 : aheadMs;
    this.#move();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #move(): void {
    if (this.isPaused) return;
    this.localMs = Date.now();
    this.nowMs = this.now();
  }
}
