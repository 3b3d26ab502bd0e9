const kept = 60;

/** The interval between frames of a display: the median of the last ones, since single ones are late. */
export class FrameInterval {
  readonly #gapsMs: number[] = [];
  #lastMs: number | undefined;

  note(timeMs: number): void {
    if (this.#lastMs !== undefined && timeMs > this.#lastMs) this.#gapsMs.push(timeMs - this.#lastMs);
    this.#lastMs = timeMs;
    if (this.#gapsMs.length > kept) this.#gapsMs.shift();
  }

  /** 0 before enough frames. */
  get ms(): number {
    if (this.#gapsMs.length < kept / 4) return 0;
    const sorted = [...this.#gapsMs].sort((a, b) => a - b);
    return sorted[Math.floor(sorted.length / 2)] ?? 0;
  }
}
