/** The time of day for ages and elapsed time; moves twice a second, rests while the window is hidden. */
export class Clock {
  nowMs = $state(Date.now());
  readonly #timer = setInterval(() => {
    if (!document.hidden) this.nowMs = Date.now();
  }, 500);

  dispose(): void {
    clearInterval(this.#timer);
  }
}
