import type { DistributionDefinition } from '../series/distributions';
import { bucketOf, upperBound } from './buckets';

/** A bound of a coarser histogram. */
export interface ClassicBound {
  /** The last of our buckets below it. */
  readonly bucket: number;
  /** The upper bound of that bucket: counts below it are exact. */
  readonly bound: number;
}

const oneTwoFive = (low: number, high: number): number[] => {
  const steps: number[] = [];
  for (let decade = low; decade <= high; decade *= 10)
    for (const factor of [1, 2, 5]) if (decade * factor <= high) steps.push(decade * factor);
  return steps;
};

const boundsOf = (steps: readonly number[]): readonly ClassicBound[] =>
  steps.map((step) => {
    const bucket = bucketOf(step);
    return { bucket, bound: upperBound(bucket) };
  });

const byUnit: Readonly<Record<DistributionDefinition['unit'], readonly ClassicBound[]>> = {
  ms: boundsOf(oneTwoFive(1, 50_000)),
  '%': boundsOf(oneTwoFive(0.1, 100)),
  'kbit/s': boundsOf(oneTwoFive(10, 100_000)),
  // The usual rates of video.
  fps: boundsOf([1, 2, 5, 10, 15, 20, 24, 25, 30, 50, 60, 120]),
};

/**
 * The bounds of a histogram with few buckets. Each is the bound of ours that is the next at or above a round number, at
 * most 1.1 % above it, so that a value of exactly this number is below the bound.
 */
export const classicBounds = (unit: DistributionDefinition['unit']): readonly ClassicBound[] => byUnit[unit];
