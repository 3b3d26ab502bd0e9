import { distributionIds, percentileSeries, statPercent, type DistributionId } from '../series/distributions';
import type { SeriesId } from '../series/series';
import { Histogram } from './histogram';

/** Histograms by what they are of. */
export type Distributions = Readonly<Partial<Record<DistributionId, Histogram>>>;

/** Distributions of several testers, jobs or intervals as one. */
export function mergedDistributions(all: readonly Distributions[]): Distributions {
  const merged: Partial<Record<DistributionId, Histogram>> = {};
  for (const id of distributionIds) {
    const whole = all.length === 1 ? all[0]?.[id] : Histogram.merged(all.map((distribution) => distribution[id]));
    if (whole) merged[id] = whole;
  }
  return merged;
}

/** The values of all percentile series. */
export function percentileValues(distributions: Distributions): Partial<Record<SeriesId, number>> {
  const values: Partial<Record<SeriesId, number>> = {};
  for (const id of distributionIds) {
    const histogram = distributions[id];
    if (!histogram) continue;
    const series = percentileSeries(id);
    const found = histogram.percentiles(series.map(({ stat }) => statPercent[stat]));
    series.forEach((percentile, place) => (values[percentile.id] = found[place]));
  }
  return values;
}
