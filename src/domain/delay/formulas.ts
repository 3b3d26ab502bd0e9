/**
 * What encoder, server, jitter buffer and decoder need: a delay less the round trip, which is the sum of both ways where
 * publisher and player are on one machine (StreamHub's formula). Below 0 by the uncertainty of both, or if the way to the
 * server is another one: that is shown, since raised to 0 it would look like a measurement, and medians would be too high.
 */
export const withoutRoundTrip = (delayMs: number, rttMs: number): number => delayMs - rttMs;

/** Mean difference between consecutive delays, ms; undefined with fewer than two. */
export function delayJitterMs(delaysMs: readonly number[]): number | undefined {
  const steps = delaysMs.slice(1).map((delayMs, index) => Math.abs(delayMs - (delaysMs[index] ?? delayMs)));
  return steps.length > 0 ? steps.reduce((sum, step) => sum + step, 0) / steps.length : undefined;
}
