import { z } from 'zod';
import { distributionFigures, type DistributionFigures } from '../model/run';
import { immutable } from '../model/schema';
import type { DistributionId } from '../series/distributions';
import { histogramScale } from './buckets';
import type { Histogram } from './histogram';

/** A distribution over time: of each step how many values are in which row, and some percentiles. */

/** Rows per doubling of the value: narrow enough to see two groups of viewers, wide enough to be seen. */
const rowsPerOctave = 8;
const bucketsPerRow = 2 ** histogramScale / rowsPerOctave;

/** Steps, seconds. */
const stepSeconds = [1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 21_600];

/** The shortest step that fits so many columns; the longest there is if none does. */
export function heatStepMs(durationMs: number, columns: number): number {
  const fitting = stepSeconds.find((seconds) => durationMs / (seconds * 1000) <= columns);
  return (fitting ?? stepSeconds.at(-1) ?? 1) * 1000;
}

const distributionStep = immutable(
  z.object({
    timeMs: z.number(),
    count: z.number().int().positive(),
    p5: z.number(),
    p50: z.number(),
    p95: z.number(),
    p99: z.number(),
    min: z.number(),
    max: z.number(),
    /** Values of 0 or less. */
    zero: z.number().int().nonnegative(),
    /** Row and number of its values. */
    rows: z.array(z.tuple([z.number().int(), z.number().int().positive()])),
  }),
);
export type DistributionStep = z.infer<typeof distributionStep>;

export const distributionOverTime = immutable(
  z.object({
    stepMs: z.number().positive(),
    steps: z.array(distributionStep),
    /** Over the whole interval; absent without values. */
    figures: distributionFigures.optional(),
  }),
);
export type DistributionOverTime = z.infer<typeof distributionOverTime>;

/** The position of a value between rows: a row's lower bound has its number. */
export function rowPosition(value: number): number {
  return Math.log2(value) * rowsPerOctave;
}

export function heatStep(timeMs: number, histogram: Histogram): DistributionStep {
  const rows = new Map<number, number>();
  for (const [bucket, count] of histogram.positive) {
    const row = Math.floor(bucket / bucketsPerRow);
    rows.set(row, (rows.get(row) ?? 0) + count);
  }
  const [p5 = 0, p50 = 0, p95 = 0, p99 = 0] = histogram.percentiles([5, 50, 95, 99]);
  const positive = [...histogram.positive.values()].reduce((sum, count) => sum + count, 0);
  const { count, low: min, high: max } = histogram;
  return { timeMs, count, p5, p50, p95, p99, min, max, zero: count - positive, rows: [...rows] };
}

/** Percentiles of a histogram. `audience`: its place in the plan, from 1; undefined of all. */
export function figuresOfHistogram(
  distribution: DistributionId,
  histogram: Histogram,
  audience?: number,
): DistributionFigures {
  const [p1 = NaN, p5 = NaN, p50 = NaN, p95 = NaN, p99 = NaN] = histogram.percentiles([1, 5, 50, 95, 99]);
  const { count, low: min, high: max } = histogram;
  return { distribution, ...(audience === undefined ? {} : { audience }), count, min, p1, p5, p50, p95, p99, max };
}
