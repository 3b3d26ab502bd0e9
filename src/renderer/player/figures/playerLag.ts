/** How far the picture on display is behind its source, and by which clock. */
export interface PlayerLag {
  /** With a sender's clock it contains that clock's offset: only lags by the same clock can be compared. */
  readonly lagMs: number;
  /** `pattern`: the clock in the picture of this window's test pattern. `sender`: that of sender reports or a playlist. */
  readonly by: 'pattern' | 'sender';
}

/**
 * By the test pattern if there is one, else by the sender's time of the picture on display; undefined if neither is
 * known. `nowMs`: Unix time.
 */
export function lagOf(
  patternDelayMs: number | undefined,
  senderTimeMs: number | undefined,
  nowMs: number,
): PlayerLag | undefined {
  if (patternDelayMs !== undefined) return { lagMs: patternDelayMs, by: 'pattern' };
  return senderTimeMs === undefined ? undefined : { lagMs: nowMs - senderTimeMs, by: 'sender' };
}
