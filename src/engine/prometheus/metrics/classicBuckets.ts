import { classicBounds } from '../../../domain/distribution/classicBounds';
import type { Histogram } from '../../../domain/distribution/histogram';
import type { HistogramFamily } from './metricFamily';

/** The bounds of a family's classic histograms, in base units. */
export function classicBoundsOf({ unit, factor }: HistogramFamily): number[] {
  return classicBounds(unit).map(({ bound }) => bound * factor);
}

/** How many values are below each of these bounds. */
export function classicCounts({ unit }: HistogramFamily, histogram: Histogram): number[] {
  const bounds = classicBounds(unit);
  const counts = bounds.map(() => 0);
  for (const [bucket, count] of histogram.positive) {
    const place = bounds.findIndex((bound) => bucket <= bound.bucket);
    if (place >= 0) counts[place] = (counts[place] ?? 0) + count;
  }
  let below = histogram.zero;
  for (const count of histogram.negative.values()) below += count;
  return counts.map((count) => (below += count));
}
