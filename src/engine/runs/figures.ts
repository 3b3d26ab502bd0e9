import type { RunFigures } from '../../domain/model/run';
import type { PullSample } from '../load/driver';
import type { GroupJob } from './runPublishers';

/** Input of the headline at one time. */
export interface FiguresInput {
  readonly timeMs: number;
  readonly requested: number;
  /** The latest sample of every job of the run. */
  readonly jobs: readonly PullSample[];
  /** When the first viewer was requested. */
  readonly firstArrivalMs?: number;
  /**
   * The audience consists of parts that start and end: their times to connect do not add up, and "all connected" has no
   * single time.
   */
  readonly isControlled?: boolean;
  /** Over the run so far. */
  readonly distributions?: RunFigures['distributions'];
  /** The origin's own figures, if recent. */
  readonly origin?: { readonly viewers?: number; readonly degraded?: number; readonly outMbps?: number };
}

export function emptyFigures(timeMs: number, requested: number): RunFigures {
  return {
    timeMs,
    requested,
    connecting: 0,
    connected: 0,
    connectedPeak: 0,
    failed: 0,
    degraded: 0,
    degradedPeak: 0,
    degradedPercentPeak: 0,
    present: 0,
    rateTarget: 0,
    rateAchieved: 0,
    mediaInMbps: 0,
  };
}

/** One consistent set of figures: sums over the latest samples, peaks over the run so far. */
export function nextFigures(before: RunFigures, input: FiguresInput): RunFigures {
  const { jobs, requested, timeMs, origin } = input;
  const sum = (pick: (job: PullSample) => number): number => jobs.reduce((total, job) => total + pick(job), 0);
  const connected = sum((job) => job.connected);
  const failed = sum((job) => job.failed);
  const degraded = sum((job) => job.degraded);
  const degradedPercent = connected > 0 ? Math.min(100, (100 * degraded) / connected) : 0;
  // Rates cover the ramp so far, so they stay unchanged after its end.
  const there = jobs.filter((job) => (input.isControlled ? job.state === 'ramping-up' : job.state !== 'ended'));
  const rate = (pick: (job: PullSample) => number): number => there.reduce((total, job) => total + pick(job), 0);
  const rateAchieved = rate((job) => job.rateAchieved) || before.rateAchieved;
  const missing = requested - connected - failed;
  const lastSampleMs = Math.max(0, ...jobs.map((job) => job.timeMs));
  const allIn = !input.isControlled && requested > 0 && connected >= requested && input.firstArrivalMs !== undefined;
  return {
    timeMs,
    requested,
    connecting: sum((job) => job.connecting),
    connected,
    connectedPeak: Math.max(before.connectedPeak, connected),
    failed,
    degraded,
    ...(degraded > before.degradedPeak
      ? { degradedPeak: degraded, degradedPercentPeak: degradedPercent }
      : { degradedPeak: before.degradedPeak, degradedPercentPeak: before.degradedPercentPeak }),
    present: sum((job) => job.present),
    rateTarget: rate((job) => job.rateTarget) || before.rateTarget,
    rateAchieved,
    ...(jobs.some((job) => job.state === 'ramping-up') && rateAchieved > 0 && missing > 0
      ? { fullInMs: Math.round((missing / rateAchieved) * 1000) }
      : {}),
    timeToAllMs:
      requested !== before.requested
        ? undefined // another pull was added: the total has grown
        : (before.timeToAllMs ?? (allIn ? Math.max(0, lastSampleMs - (input.firstArrivalMs ?? 0)) : undefined)),
    originViewers: origin?.viewers,
    originDegraded: origin?.degraded,
    originOutMbps: origin?.outMbps,
    mediaInMbps: sum((job) => job.bitrateKbps) / 1000,
    packetsPerSecond: jobs.some((job) => job.packetsPerSecond !== undefined)
      ? Math.round(sum((job) => job.packetsPerSecond ?? 0))
      : undefined,
    ...(input.distributions && input.distributions.length > 0 ? { distributions: input.distributions } : {}),
  };
}

/** Progress of publishers alone, as far as figures need it. */
type PublisherProgress = Pick<
  GroupJob,
  'group' | 'startedMs' | 'fullMs' | 'live' | 'connecting' | 'waiting' | 'failed' | 'sentMbps'
>;

/** The figures of a run whose load is publishers alone: they count publishers in place of viewers. */
export function publisherFigures(
  before: RunFigures,
  timeMs: number,
  groups: readonly PublisherProgress[],
  /** The most that were requested at once, where they are started and ended in parts. */
  peakTarget?: number,
): RunFigures {
  const sum = (of: (group: PublisherProgress) => number): number => groups.reduce((total, each) => total + of(each), 0);
  const requested = peakTarget ?? sum(({ group }) => group.publishers);
  const connected = sum(({ live }) => live);
  const connecting = sum((group) => group.connecting);
  const failed = sum((group) => group.failed);
  const startedMs = Math.min(...groups.flatMap((group) => group.startedMs ?? []));
  const ramping = groups.filter(({ waiting }) => waiting > 0);
  const seconds = (timeMs - startedMs) / 1000;
  const rateAchieved =
    peakTarget === undefined && ramping.length > 0 && seconds > 0
      ? sum(({ group, waiting }) => group.publishers - waiting) / seconds
      : 0;
  const missing = requested - connected - failed;
  return {
    timeMs,
    ...{ requested, connecting, connected, failed },
    connectedPeak: Math.max(before.connectedPeak, connected),
    ...{ degraded: 0, degradedPeak: 0, degradedPercentPeak: 0 },
    present: connected + connecting,
    rateTarget: ramping.reduce((total, { group }) => total + group.ratePerSecond, 0) || before.rateTarget,
    rateAchieved: rateAchieved || before.rateAchieved,
    ...(rateAchieved > 0 && missing > 0 ? { fullInMs: Math.round((missing / rateAchieved) * 1000) } : {}),
    timeToAllMs:
      before.timeToAllMs ??
      (peakTarget === undefined && connected >= requested ? Math.max(0, timeMs - startedMs) : undefined),
    mediaInMbps: 0,
    mediaOutMbps: sum(({ sentMbps }) => sentMbps),
  };
}

/**
 * From the first start to the last first packet, by the viewers' own figures; undefined unless all of them connected.
 */
export function arrivalTimeMs(
  viewers: ReadonlyArray<{ readonly arrivedMs?: number; readonly connectMs?: number }>,
): number | undefined {
  let firstMs = Number.POSITIVE_INFINITY;
  let lastMs = Number.NEGATIVE_INFINITY;
  for (const { arrivedMs, connectMs } of viewers) {
    if (arrivedMs === undefined || connectMs === undefined) return undefined;
    firstMs = Math.min(firstMs, arrivedMs);
    lastMs = Math.max(lastMs, arrivedMs + connectMs);
  }
  return viewers.length > 0 ? Math.round(lastMs - firstMs) : undefined;
}
