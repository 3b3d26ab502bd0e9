/**
 * Run-to-run noise: how much two runs of the same test differ. It is estimated from repeats, never assumed; with fewer
 * than two repeats it is unknown.
 */

/** By which factor the standard deviation of n values is too small on average (c4), from n = 2 on. */
const smallness = [0.798, 0.886, 0.921, 0.94, 0.952, 0.959, 0.965, 0.969, 0.973];

/** Two equal runs differ by at most this many standard deviations of a difference, 19 times in 20. */
const nineteenOfTwenty = 1.96;

/**
 * The difference that two single runs of the same test stay within, 19 times in 20, from groups of repeats: each
 * group's values are of one repeated test. Undefined when no group has two values.
 */
export function noiseOf(groups: ReadonlyArray<readonly number[]>, resolution: number): number | undefined {
  let squares = 0;
  let freedom = 0;
  for (const values of groups) {
    if (values.length < 2) continue;
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    squares += values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
    freedom += values.length - 1;
  }
  if (freedom === 0) return undefined;
  const deviation = Math.sqrt(squares / freedom) / (smallness[freedom - 1] ?? 1);
  return Math.max(resolution, nineteenOfTwenty * Math.SQRT2 * deviation);
}

/** Whether a difference is more than noise; undefined while the noise is unknown. */
export function exceedsNoise(difference: number, noise: number | undefined): boolean | undefined {
  return noise === undefined ? undefined : Math.abs(difference) > noise;
}
