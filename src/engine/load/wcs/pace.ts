/** Max time caught up at once after a stall, the same as in an agent. */
const maxCatchUpMs = 250;

/** A token bucket: how many may start at a given time at a given rate. */
export class Pace {
  private tokens = 1;
  private lastMs: number;

  constructor(
    private readonly ratePerSecond: number,
    nowMs: number,
  ) {
    this.lastMs = nowMs;
  }

  /** How many may start now; those that do are to be `used`. */
  available(nowMs: number): number {
    const maxTokens = Math.max(1, (this.ratePerSecond * maxCatchUpMs) / 1000);
    const passedMs = Math.max(0, nowMs - this.lastMs);
    this.lastMs = nowMs;
    this.tokens = Math.min(maxTokens, this.tokens + (passedMs * this.ratePerSecond) / 1000);
    return Math.floor(this.tokens + 1e-9);
  }

  use(count: number): void {
    this.tokens -= count;
  }
}
