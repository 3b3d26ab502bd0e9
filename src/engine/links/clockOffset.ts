const keptMeasurements = 15;

/**
 * How far another clock is ahead of ours in ms, by that of the latest pings that took the shortest time, as NTP does it (RFC 5905,
 * clock filter): its answer can be wrong by half its round trip at most, while on a busy machine the usual one is wrong by far more.
 */
export class ClockOffset {
  private readonly measured: Array<{ readonly aheadMs: number; readonly tripMs: number }> = [];

  /** One ping: sent and answered by our clock, and the other clock's time in the answer. */
  add(sentMs: number, answeredMs: number, theirsMs: number): void {
    this.measured.push({ aheadMs: theirsMs - (sentMs + answeredMs) / 2, tripMs: answeredMs - sentMs });
    if (this.measured.length > keptMeasurements) this.measured.shift();
  }

  /** 0 until something was measured. */
  get aheadMs(): number {
    let best = this.measured[0];
    for (const each of this.measured) if (best && each.tripMs <= best.tripMs) best = each;
    return best?.aheadMs ?? 0;
  }

  /** Another clock's time in ours, whole ms. */
  toOurs(theirsMs: number): number {
    return Math.round(theirsMs - this.aheadMs);
  }
}
