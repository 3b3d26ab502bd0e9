import { classicBounds } from '../../../domain/distribution/classicBounds';
import type { Histogram } from '../../../domain/distribution/histogram';
import type { HistogramFamily } from './metricFamily';

/** Values up to a bound, in base units. */
export interface ClassicBucket {
  readonly bound: number;
  readonly count: number;
}

/** The cumulative buckets of a histogram with few bounds, without the last one, which has all values. */
export function classicBuckets({ unit, factor }: HistogramFamily, histogram: Histogram): ClassicBucket[] {
  const positive = [...histogram.positive].sort(([a], [b]) => a - b);
  let count = histogram.zero;
  for (const below of histogram.negative.values()) count += below;
  let next = 0;
  return classicBounds(unit).map(({ bucket, bound }) => {
    for (; next < positive.length && (positive[next]?.[0] ?? Infinity) <= bucket; next += 1)
      count += positive[next]?.[1] ?? 0;
    return { bound: bound * factor, count };
  });
}
