import type { JobFailure } from '../../../contract/viewerSchemas';
import { Histogram } from '../../../domain/distribution/histogram';
import { mergedDistributions } from '../../../domain/distribution/percentileValues';
import type { JobDelay, PullOrder, PullSample } from '../../load/driver';
import { mergedLoss, mergedValues } from '../../load/mergedValues';
import { MemberPart, numberedFrom } from './memberPart';

/** In how many samples a job is still included after it has ended, as an agent does. */
const endedSamples = 5;

/** A job of a group, and the share of each member. */
export class GroupJob {
  /** By member. */
  readonly parts = new Map<number, MemberPart>();
  /** No longer in the samples; its viewers can still be listed. */
  isHistory = false;
  isLeaving = false;
  /** With the secrets of its viewers; only while a replacement may need it. */
  private pending: PullOrder | undefined;
  private ended = 0;

  constructor(
    order: PullOrder,
    readonly startedMs: number,
    shares: ReadonlyArray<{ readonly member: number; readonly viewers: number }>,
  ) {
    this.name = order.job;
    this.pending = order;
    let offset = 0;
    for (const { member, viewers } of shares) {
      if (viewers > 0) this.parts.set(member, new MemberPart(offset, viewers));
      offset += viewers;
    }
  }

  readonly name: string;

  /** Its order while it may have to be given again, by the time that has passed since its start. */
  orderNow(nowMs: number): PullOrder | undefined {
    const order = this.pending;
    return order && { ...order, networkForMs: (order.networkForMs ?? 0) + nowMs - this.startedMs };
  }

  get isOver(): boolean {
    return [...this.parts.values()].every((part) => part.isOver);
  }

  /** The sample of a round, until it has ended for some rounds. */
  sample(timeMs: number): PullSample | undefined {
    const parts = [...this.parts.values()];
    if (this.isHistory) return undefined;
    const merged = mergedSample(this.name, timeMs, parts);
    for (const part of parts) part.taken = [];
    if (merged.state === 'ended') this.ended += 1;
    if (this.ended >= endedSamples) {
      this.isHistory = true;
      this.pending = undefined;
    }
    return merged;
  }

  /** The viewers of an ended job no longer need its order. */
  leaving(): void {
    this.isLeaving = true;
    this.pending = undefined;
  }

  /** The member with a viewer, and the viewer's number there. */
  find(viewer: number): { readonly member: number; readonly viewer: number } | undefined {
    for (const [member, { offset, viewers }] of this.parts)
      if (viewer > offset && viewer <= offset + viewers) return { member, viewer: viewer - offset };
    return undefined;
  }
}

/** A job of a group over its members, as one sample. */
function mergedSample(job: string, timeMs: number, parts: readonly MemberPart[]): PullSample {
  const reports = parts.flatMap((part) => {
    const report = reportOf(part);
    return report ? [report] : [];
  });
  const sum = (pick: (sample: PullSample) => number | undefined): number =>
    reports.reduce((total, report) => total + (pick(report) ?? 0), 0);
  const lost = (pick: (part: MemberPart) => number): number => parts.reduce((total, part) => total + pick(part), 0);
  /** Viewers of members that have not reported the job yet. */
  const starting = parts.reduce((total, part) => total + (part.latest || part.isLost ? 0 : part.viewers), 0);
  const optional = (
    name: 'freezeCount' | 'freezeDurationMs' | 'reconnecting' | 'reconnects' | 'replaced',
    before: number,
  ): Partial<Pick<PullSample, typeof name>> =>
    before > 0 || reports.some((report) => report[name] !== undefined)
      ? { [name]: sum((report) => report[name]) + before }
      : {};
  const counts = reports.some(({ packetsPerSecond }) => packetsPerSecond !== undefined);
  const watching = reports.filter(({ state }) => state !== 'ended');
  const lossPercent = mergedLoss(watching);
  const taken = parts.flatMap((part) => part.taken);
  const delay = mergedDelay(taken);
  return {
    timeMs,
    job,
    state: starting > 0 ? 'ramping-up' : stateOf(reports),
    requested: parts.reduce((total, part) => total + part.viewers, 0),
    waiting: sum(({ waiting }) => waiting) + starting,
    connecting: sum(({ connecting }) => connecting),
    connected: sum(({ connected }) => connected),
    failed: sum(({ failed }) => failed) + lost((part) => part.lost.failed),
    degraded: sum(({ degraded }) => degraded),
    present: sum(({ present }) => present),
    rateTarget: sum(({ rateTarget }) => rateTarget),
    rateAchieved: sum(({ rateAchieved }) => rateAchieved),
    bitrateKbps: sum(({ bitrateKbps }) => bitrateKbps),
    ...(counts ? { packetsPerSecond: sum(({ packetsPerSecond }) => packetsPerSecond) } : {}),
    ...(lossPercent === undefined ? {} : { lossPercent }),
    stalls: sum(({ stalls }) => stalls) + lost((part) => part.lost.stalls),
    ...optional(
      'freezeCount',
      lost((part) => part.lost.freezeCount),
    ),
    ...optional(
      'freezeDurationMs',
      lost((part) => part.lost.freezeDurationMs),
    ),
    ...optional('reconnecting', 0),
    ...optional(
      'reconnects',
      lost((part) => part.lost.reconnects),
    ),
    ...optional(
      'replaced',
      lost((part) => part.lost.replaced),
    ),
    ...(delay ? { delay } : {}),
    distributions: mergedDistributions(taken.map(({ distributions }) => distributions)),
    values: mergedValues(watching),
    failures: mergedFailures(parts),
  };
}

/**
 * The state of a part after the reports of a round. Counts are the newest; rates are the mean over the reports, so that
 * those of a link that was lost for some seconds count once. Without a new report the last one stays.
 */
function reportOf({ latest, taken }: MemberPart): PullSample | undefined {
  if (!latest || taken.length < 2) return latest;
  const mean = (pick: (sample: PullSample) => number): number =>
    taken.reduce((total, sample) => total + pick(sample), 0) / taken.length;
  return {
    ...latest,
    bitrateKbps: mean(({ bitrateKbps }) => bitrateKbps),
    ...(latest.packetsPerSecond === undefined
      ? {}
      : { packetsPerSecond: mean(({ packetsPerSecond = 0 }) => packetsPerSecond) }),
  };
}

const inOrder = ['ramping-up', 'holding', 'tearing-down'] as const;

/** As long as one member is in an earlier state, the group is. */
function stateOf(reports: readonly PullSample[]): PullSample['state'] {
  return inOrder.find((state) => reports.some((report) => report.state === state)) ?? 'ended';
}

/** The failures of all parts, with what ended members reported; equal ones are added. */
function mergedFailures(parts: readonly MemberPart[]): readonly JobFailure[] {
  const groups = new Map<string, JobFailure>();
  const all = parts.flatMap(({ lost, latest, offset }) => [
    ...lost.failures,
    ...(latest?.failures ?? []).map((failure) => numberedFrom(failure, offset)),
  ]);
  for (const failure of all) {
    const key = `${failure.stage} ${failure.cause}`;
    const known = groups.get(key);
    const first = known && known.example.timeMs <= failure.example.timeMs ? known : failure;
    groups.set(key, { ...first, count: failure.count + (known?.count ?? 0) });
  }
  return [...groups.values()];
}

/** Histograms of several clocks as those of one. Reports are merged once only: in the round that took them. */
function mergedDelay(taken: readonly PullSample[]): JobDelay | undefined {
  const all = taken.flatMap(({ delay }) => delay ?? []);
  const [first] = all;
  if (!first) return undefined;
  const { referenceMs } = first;
  const of = (id: 'senderReportDelayMs' | 'captureDelayMs'): Histogram | undefined =>
    Histogram.merged(all.map((delay) => delay[id]?.shifted(delay.referenceMs - referenceMs)));
  const [senderReportDelayMs, captureDelayMs] = [of('senderReportDelayMs'), of('captureDelayMs')];
  const clocksDiffer = all.reduce((sum, delay) => sum + (delay.clocksDiffer ?? 0), 0);
  return {
    referenceMs,
    ...(senderReportDelayMs ? { senderReportDelayMs } : {}),
    ...(captureDelayMs ? { captureDelayMs } : {}),
    ...(clocksDiffer > 0 ? { clocksDiffer } : {}),
  };
}
