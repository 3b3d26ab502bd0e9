const keptMeasurements = 15;

/** How far another clock is ahead of ours in ms, from pings: the median of the latest, each corrected by half its round trip. */
export class ClockOffset {
  private readonly measured: number[] = [];

  /** One ping: sent and answered by our clock, and the other clock's time in the answer. */
  add(sentMs: number, answeredMs: number, theirsMs: number): void {
    this.measured.push(theirsMs - (sentMs + answeredMs) / 2);
    if (this.measured.length > keptMeasurements) this.measured.shift();
  }

  /** 0 until something was measured. */
  get aheadMs(): number {
    if (this.measured.length === 0) return 0;
    const sorted = [...this.measured].sort((a, b) => a - b);
    const middle = Math.floor(sorted.length / 2);
    const high = sorted[middle] ?? 0;
    return sorted.length % 2 === 1 ? high : ((sorted[middle - 1] ?? 0) + high) / 2;
  }

  /** Another clock's time in ours, whole ms. */
  toOurs(theirsMs: number): number {
    return Math.round(theirsMs - this.aheadMs);
  }
}
