/**
 * The buckets of all histograms: base-2 exponential ones of one scale, as in OpenTelemetry's exponential and
 * Prometheus's native histograms. Bucket `i` has the values above 2^(i/64) up to 2^((i+1)/64); one value in the middle
 * represents it with a relative error of 0.54 % at most.
 */

/** 2^scale buckets per doubling. */
export const histogramScale = 6;
const perOctave = 2 ** histogramScale;

/** The largest relative error of a percentile: half a bucket's width. */
export const maxRelativeError = (2 ** (1 / perOctave) - 1) / (2 ** (1 / perOctave) + 1);

/** Smaller values count as 0. */
export const zeroBelow = 1e-6;

/** Indexes of all values from `zeroBelow` to 2^40, about 10^12. */
export const minBucket = -20 * perOctave;
export const maxBucket = 40 * perOctave - 1;

/**
 * Upper bounds of the buckets from 1 to 2. They are made of square roots and products only, which IEEE 754 rounds alike
 * everywhere: the agent has the same bounds to the last bit (agent/internal/stats/histogram.go).
 */
const octave: readonly number[] = (() => {
  const roots: number[] = [];
  for (let root = Math.sqrt(2); roots.length < histogramScale; root = Math.sqrt(root)) roots.push(root);
  const bounds = Array.from({ length: perOctave }, (_, place) =>
    roots.reduce((bound, root, bit) => ((place & (perOctave >> (bit + 1))) === 0 ? bound : bound * root), 1),
  );
  return [...bounds, 2];
})();

/** The upper bound of a bucket, which is the lower one of the next. */
export function upperBound(bucket: number): number {
  const next = bucket + 1;
  const exponent = Math.floor(next / perOctave);
  return (octave[next - exponent * perOctave] ?? 1) * 2 ** exponent;
}

/** What represents a bucket: as far from its lower bound as from its upper one, relative to each. */
export function middleOf(bucket: number): number {
  const [low, high] = [upperBound(bucket - 1), upperBound(bucket)];
  return (2 * low * high) / (low + high);
}

/** The bucket of a value of `zeroBelow` or more; larger ones than 2^40 count as 2^40. */
export function bucketOf(value: number): number {
  let exponent = Math.floor(Math.log2(value));
  // The logarithm is rounded: at a power of two it may be one off.
  if (value < 2 ** exponent) exponent -= 1;
  else if (value >= 2 ** (exponent + 1)) exponent += 1;
  const fraction = value / 2 ** exponent;
  let low = fraction === 1 ? -1 : 0;
  for (let high = perOctave; high - low > 1;) {
    const middle = (low + high) >> 1;
    if (fraction > (octave[middle] ?? 2)) low = middle;
    else high = middle;
  }
  return Math.min(maxBucket, exponent * perOctave + low);
}
