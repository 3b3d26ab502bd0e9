import { type FailureGroup, failureStages } from '../../domain/model/run';
import { failureKey } from '../../domain/run/failureKey';
import { mergedDistributions, percentileValues } from '../../domain/distribution/percentileValues';
import type { SeriesId } from '../../domain/series/series';
import type { PullSample } from '../load/driver';
import { mergedLoss, mergedValues } from '../load/mergedValues';

/**
 * An origin's figures without the console's own players: they are not part of the audience, and headline, charts and
 * file have one count.
 */
export function withoutPlayers(
  values: Partial<Record<SeriesId, number>>,
  players: number,
): Partial<Record<SeriesId, number>> {
  const { originViewers } = values;
  return originViewers === undefined ? values : { ...values, originViewers: Math.max(0, originViewers - players) };
}

/**
 * The viewers' series of some jobs, aggregated at one time. Counts and what simulated networks did are added;
 * distributions are merged, and percentiles are those of all viewers; `mergedValues` has the rule for the others.
 */
export function audienceValues(
  jobs: readonly PullSample[],
  viewers: number,
  percentiles: 'with percentiles' | 'without percentiles' = 'with percentiles',
): Partial<Record<SeriesId, number>> {
  const sum = (pick: (job: PullSample) => number): number => jobs.reduce((total, job) => total + pick(job), 0);
  const watching = jobs.filter((job) => job.state !== 'ended');
  const values: Partial<Record<SeriesId, number>> = {
    viewersRequested: viewers,
    viewersConnecting: sum((job) => job.connecting),
    viewersConnected: sum((job) => job.connected),
    viewersFailed: sum((job) => job.failed),
    viewersDegraded: sum((job) => job.degraded),
    mediaInMbps: sum((job) => job.bitrateKbps) / 1000,
    stallsTotal: sum((job) => job.stalls),
  };
  if (jobs.some((job) => job.freezeCount !== undefined)) {
    values.freezeCountTotal = sum((job) => job.freezeCount ?? 0);
    values.freezeDurationTotalMs = sum((job) => job.freezeDurationMs ?? 0);
  }
  if (jobs.some((job) => job.packetsPerSecond !== undefined))
    values.packetsPerSecond = sum((job) => job.packetsPerSecond ?? 0);
  if (jobs.some((job) => job.reconnecting !== undefined || job.reconnects !== undefined)) {
    values.viewersReconnecting = sum((job) => job.reconnecting ?? 0);
    values.reconnectsTotal = sum((job) => job.reconnects ?? 0);
  }
  if (jobs.some((job) => job.replaced !== undefined)) values.replacedTotal = sum((job) => job.replaced ?? 0);
  const arriving = jobs.filter((job) => job.state === 'ramping-up');
  if (arriving.length > 0) {
    values.arrivalRateTarget = arriving.reduce((total, job) => total + job.rateTarget, 0);
    values.arrivalRateAchieved = arriving.reduce((total, job) => total + job.rateAchieved, 0);
  }
  const loss = mergedLoss(watching);
  if (loss !== undefined) values.lossPercent = loss;
  Object.assign(values, mergedValues(watching));
  if (percentiles === 'without percentiles') return values;
  return { ...values, ...percentileValues(mergedDistributions(watching.map(({ distributions }) => distributions))) };
}

/** What a tester reports of its machine: the same in all of its jobs. */
export function testerValues(jobs: readonly PullSample[]): Partial<Record<SeriesId, number>> {
  const newest = jobs.reduce<PullSample | undefined>(
    (latest, job) => (latest === undefined || job.timeMs > latest.timeMs ? job : latest),
    undefined,
  );
  return { ...newest?.tester };
}

/**
 * Failures of all testers, in the order of the stages, the most frequent first within a stage. `audience` is the name of
 * a job's audience in a run with several.
 */
export function failureGroups(
  jobs: ReadonlyArray<{ readonly audience?: string | undefined; readonly tester: string; readonly sample: PullSample }>,
): FailureGroup[] {
  const groups = new Map<string, FailureGroup>();
  for (const { audience, tester, sample } of jobs)
    for (const failure of sample.failures) {
      const group: FailureGroup = { ...(audience === undefined ? {} : { audience }), tester, ...failure };
      const key = failureKey(group);
      const known = groups.get(key);
      groups.set(key, known ? { ...known, count: known.count + failure.count } : group);
    }
  return [...groups.values()].sort(
    (a, b) => failureStages.indexOf(a.stage) - failureStages.indexOf(b.stage) || b.count - a.count,
  );
}
