/**
 * The only definition of a freeze: that of freezeCount in W3C webrtc-stats, as libwebrtc counts it. The agent applies it
 * to every video (`agent/internal/stats`, same figures), the spot check to what the window presents.
 */
export const freezeRule = {
  /** Intervals between frames whose average is compared, the judged one included. */
  intervals: 30,
  /** Nothing is judged before there are so many. */
  minIntervals: 5,
  /** A freeze is at least this multiple of the average ... */
  factor: 3,
  /** ... and at least so much longer than it. */
  extraMs: 150,
} as const;

/** Length from which an interval between two frames is a freeze, by the average interval in ms. */
export function freezeThresholdMs(averageMs: number): number {
  return Math.max(freezeRule.factor * averageMs, averageMs + freezeRule.extraMs);
}
