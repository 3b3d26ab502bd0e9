import type { DelayExpectation } from '../model/plan';
import type { DistributionFigures, RunFigures } from '../model/run';
import { percentileSeries, type DistributionId, type PercentileSeriesId } from '../series/distributions';

const ofViewers = "readings of the testers' viewers";

/** How the delay of a run was measured, the method that says most first. `of`: what, and by whom. */
export const runDelayMethods = [
  {
    ...({ distribution: 'glassToGlassMs', by: 'the clock in the picture' } as const),
    of: 'frames of browser viewers and the control player',
  },
  { distribution: 'captureDelayMs', by: 'capture times', of: ofViewers },
  { distribution: 'senderReportDelayMs', by: 'sender reports', of: ofViewers },
  { distribution: 'liveLatencyMs', by: 'times of day in the playlist', of: ofViewers },
] as const satisfies ReadonlyArray<{
  readonly distribution: DistributionId;
  readonly by: string;
  readonly of: string;
}>;

export type RunDelayMethod = (typeof runDelayMethods)[number];

/** The delay of a run, or of one of its audiences, over all of its seconds. */
export interface RunDelay {
  readonly method: RunDelayMethod;
  readonly figures: DistributionFigures;
}

type Figures = Pick<RunFigures, 'distributions'>;

/** What one method measured; `audience`: its place in the plan, from 1; undefined: all of them together. */
export const delayBy = (
  { distributions = [] }: Figures,
  method: DistributionId,
  audience?: number,
): DistributionFigures | undefined =>
  distributions.find((each) => each.distribution === method && each.audience === audience);

/** Of all audiences together, by a method that measured each of those of which there is any delay, if there is one. */
export function runDelay(run: Figures): RunDelay | undefined {
  const audiences = delayedAudiences(run);
  const measured = measuredBy(run);
  const ofAll = measured.filter(({ method }) =>
    audiences.every((audience) => delayBy(run, method.distribution, audience) !== undefined),
  );
  return bestOf(ofAll.length > 0 ? ofAll : measured);
}

/** Of each audience that has one by its own best method; where there is one audience only, of the run. */
export function audienceDelays(run: Figures): readonly RunDelay[] {
  const audiences = delayedAudiences(run);
  if (audiences.length === 0) return [runDelay(run) ?? []].flat();
  return audiences.flatMap((audience) => bestOf(measuredBy(run, audience)) ?? []);
}

/** The places of the audiences of which there is a delay; none where there is one audience only. */
function delayedAudiences({ distributions = [] }: Figures): readonly number[] {
  const isDelay = (id: DistributionId): boolean => runDelayMethods.some(({ distribution }) => distribution === id);
  const places = distributions.flatMap(({ distribution, audience }) =>
    audience !== undefined && isDelay(distribution) ? [audience] : [],
  );
  return [...new Set(places)].sort((a, b) => a - b);
}

const measuredBy = (run: Figures, audience?: number): readonly RunDelay[] =>
  runDelayMethods.flatMap((method) => {
    const figures = delayBy(run, method.distribution, audience);
    return figures ? [{ method, figures }] : [];
  });

/**
 * The first method that measured in at least half as many seconds as any other one: a control player that shows the
 * stream for a moment must not replace what all viewers measured over the whole run.
 */
function bestOf(measured: readonly RunDelay[]): RunDelay | undefined {
  const most = Math.max(0, ...measured.map(({ figures }) => figures.seconds ?? 0));
  return measured.find(({ figures: { seconds } }) => seconds === undefined || 2 * seconds >= most);
}

/** The series that has a percentile of a delay each second. */
export function delaySeries(distribution: DistributionId, stat: DelayExpectation['stat']): PercentileSeriesId {
  const found = percentileSeries(distribution).find((each) => each.stat.toLowerCase() === stat);
  if (!found) throw new Error(`${distribution} has no ${stat}.`);
  return found.id;
}
