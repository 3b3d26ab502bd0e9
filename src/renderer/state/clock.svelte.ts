/** The engine's time of a run and this machine's lie so close that the difference is the way between the two. */
const sameTimeMs = 3000;

/**
 * The time for ages and elapsed time; moves twice a second, rests while the window is hidden. During a run it is the
 * engine's, which goes on evenly when the clock of this machine is set.
 */
export class Clock {
  nowMs = $state(Date.now());
  /** By the clock of this machine. */
  localMs = $state(Date.now());
  #aheadMs = 0;
  readonly #timer = setInterval(() => {
    if (!document.hidden) this.#move();
  }, 500);

  /** The time of this moment, for what does not wait for the next half second. */
  readonly now = (): number => Date.now() + this.#aheadMs;

  /** Follows the time of the run under way; without one, this machine's. */
  follow(engineMs: number | undefined): void {
    const aheadMs = engineMs === undefined ? 0 : engineMs - Date.now();
    this.#aheadMs = Math.abs(aheadMs) < sameTimeMs ? 0 : aheadMs;
    this.#move();
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #move(): void {
    this.localMs = Date.now();
    this.nowMs = this.now();
  }
}
