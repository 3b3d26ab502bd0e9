import { heatStep, heatStepMs, figuresOfHistogram, type DistributionOverTime } from '../../domain/distribution/heatmap';
import { Histogram } from '../../domain/distribution/histogram';
import type { DistributionId } from '../../domain/series/distributions';
import type { RunReader } from '../store';

export interface DistributionRange {
  readonly distribution: DistributionId;
  /** Its place in the plan, from 1; undefined: all audiences together. */
  readonly audience?: number | undefined;
  readonly fromMs: number;
  readonly toMs: number;
  /** Maximum number of steps. */
  readonly columns: number;
}

/** A distribution of a run over time, in at most so many steps. */
export function distributionOverTime(
  reader: RunReader,
  { distribution, audience, fromMs, toMs, columns }: DistributionRange,
): DistributionOverTime {
  const stepMs = heatStepMs(toMs - fromMs, columns);
  const rows = reader.histograms({
    ...{ fromMs, toMs, stepMs },
    wanted: (row) => row.distribution === distribution && (audience ?? row.audience) === row.audience,
  });
  const steps = new Map<number, Histogram>();
  for (const { timeMs, histogram } of rows) {
    const step = steps.get(timeMs) ?? new Histogram();
    step.merge(histogram);
    steps.set(timeMs, step);
  }
  const whole = Histogram.merged(steps.values());
  return {
    stepMs,
    steps: [...steps].map(([timeMs, histogram]) => heatStep(timeMs, histogram)),
    ...(whole ? { figures: figuresOfHistogram(distribution, whole, audience) } : {}),
  };
}
