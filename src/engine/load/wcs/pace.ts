/** After a stall at most this much is caught up at once, the same as an agent does. */
const mostCatchUpMs = 250;

/** A token bucket: how many may begin at a moment when a rate is asked. */
export class Pace {
  private tokens = 1;
  private lastMs: number;

  constructor(
    private readonly ratePerSecond: number,
    nowMs: number,
  ) {
    this.lastMs = nowMs;
  }

  /** How many may begin now; those that do are to be `used`. */
  available(nowMs: number): number {
    const most = Math.max(1, (this.ratePerSecond * mostCatchUpMs) / 1000);
    const passedMs = Math.max(0, nowMs - this.lastMs);
    this.lastMs = nowMs;
    this.tokens = Math.min(most, this.tokens + (passedMs * this.ratePerSecond) / 1000);
    return Math.floor(this.tokens + 1e-9);
  }

  use(count: number): void {
    this.tokens -= count;
  }
}
