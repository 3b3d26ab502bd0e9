import type { DelayExpectation } from '../model/plan';
import type { DistributionFigures, RunFigures } from '../model/run';
import { percentileSeries, type DistributionId, type PercentileSeriesId } from '../series/distributions';

/** How the delay of a run was measured, the method that says most first. */
export const runDelayMethods = [
  { distribution: 'glassToGlassMs', by: 'the clock in the picture' },
  { distribution: 'captureDelayMs', by: 'capture times' },
  { distribution: 'senderReportDelayMs', by: 'sender reports' },
  { distribution: 'liveLatencyMs', by: 'times of day in the playlist' },
] as const satisfies ReadonlyArray<{ readonly distribution: DistributionId; readonly by: string }>;

export type RunDelayMethod = (typeof runDelayMethods)[number];

/** The delay of a run by the first method that measured any, over all audiences and the whole run. */
export interface RunDelay {
  readonly method: RunDelayMethod;
  readonly figures: DistributionFigures;
}

type Figures = Pick<RunFigures, 'distributions'>;

/** What one method measured. */
export const delayBy = ({ distributions = [] }: Figures, method: DistributionId): DistributionFigures | undefined =>
  distributions.find(({ distribution, audience }) => distribution === method && audience === undefined);

export function runDelay(run: Figures): RunDelay | undefined {
  for (const method of runDelayMethods) {
    const figures = delayBy(run, method.distribution);
    if (figures) return { method, figures };
  }
  return undefined;
}

/** The series that has a percentile of a delay each second. */
export function delaySeries(distribution: DistributionId, stat: DelayExpectation['stat']): PercentileSeriesId {
  const found = percentileSeries(distribution).find((each) => each.stat.toLowerCase() === stat);
  if (!found) throw new Error(`${distribution} has no ${stat}.`);
  return found.id;
}
