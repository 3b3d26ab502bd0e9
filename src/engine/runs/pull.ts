import type { PlanPull } from '../../domain/plan/plan';
import type { JobState, JobView, ViewerRow } from '../../domain/run';
import { sharesOf } from '../../domain/shares';
import type { ViewerDetail } from '../../domain/viewerDetail';
import { FullhouseError } from '../../contract/calls';
import type { FleetNode } from '../fleet/node';
import type { PullSample } from '../load/driver';
import type { Venue } from './pullToBegin';
import { isSettled, wantedViewers, type JobSeen, type PullSeen } from './course';

/** A tester of a run under the plan's name for it. */
export interface Tester {
  readonly name: string;
  readonly node: FleetNode;
}

/** One tester's part of a pull. */
export interface PullJob {
  readonly id: string;
  readonly tester: Tester;
  readonly viewers: number;
  state: JobState;
  problem?: string;
  /** Its tester has no room for so many viewers. */
  isTooMany?: boolean;
  latest?: PullSample;
  /** It was told to leave and its tester has taken the order. */
  leaveTaken?: 'properly' | 'by force';
}

/** What the agent's own end of the pull is later than ours: it is the safety net, not the clock. */
const netMs = 30_000;

/** What a part of a directed audience is told besides its plan. */
export interface PartOfAudience {
  /** When its testers end it by themselves, should nobody tell them earlier; 0: never. */
  readonly mostHoldMs: number;
  /** Viewers of each tester, in their order. */
  readonly shares: readonly number[];
}

/** One pull of a run: its jobs on the testers and what has become of them. */
export class Pull {
  readonly jobs: readonly PullJob[];
  startedMs: number | undefined;
  fullMs: number | undefined;
  leaveMs: number | undefined;
  private emptySinceMs: number | undefined;

  constructor(
    readonly plan: PlanPull,
    testers: readonly Tester[],
    nextJob: () => string,
    /** Present where a director says when it leaves, not the plan. */
    private readonly part?: PartOfAudience,
  ) {
    const shares =
      part?.shares ??
      sharesOf(
        plan.viewers,
        testers.map(({ name }) => name),
        plan.weights,
      );
    this.jobs = testers.flatMap((tester, index) => {
      const viewers = shares[index] ?? 0;
      return viewers > 0 ? [{ id: nextJob(), tester, viewers, state: 'starting' }] : [];
    });
  }

  /** Orders every tester to begin. A tester that refuses makes its job fail with its sentence; the warnings of the others are returned. */
  async start(
    nowMs: number,
    { url, nominalFps, allowCrossOrigin, tokens }: Omit<Venue, 'testers'>,
  ): Promise<string[]> {
    this.startedMs = nowMs;
    const answers = await Promise.all(
      this.jobs.map(async (job) => {
        try {
          const ratePerSecond = (this.plan.ratePerSecond * job.viewers) / this.plan.viewers;
          const { warnings } = await job.tester.node.driver.start({
            job: job.id,
            protocol: this.plan.protocol,
            url,
            stream: this.plan.stream,
            viewers: job.viewers,
            ratePerSecond,
            mostHoldMs: this.mostHoldMs,
            nominalFps,
            allowCrossOrigin,
            realism: this.plan.realism,
            ...(tokens ? { tokens: tokens(job.viewers, (1000 * job.viewers) / ratePerSecond) } : {}),
          });
          if (job.state === 'starting') job.state = 'arriving';
          return warnings.map((warning) => `${job.tester.name}: ${warning}`);
        } catch (error) {
          this.fail(job, (error as Error).message);
          job.isTooMany = error instanceof FullhouseError && error.code === 'too-many-viewers';
          return [];
        }
      }),
    );
    return answers.flat();
  }

  private get mostHoldMs(): number {
    const plannedMs = this.part ? this.part.mostHoldMs : this.plan.holdMs;
    return plannedMs === 0 ? 0 : Math.round(plannedMs) + netMs;
  }

  /** Nobody of it is on the way, in or out. */
  get isSettled(): boolean {
    return isSettled(this.seen());
  }

  get isDirected(): boolean {
    return this.part !== undefined;
  }

  get connected(): number {
    return this.jobs.reduce((sum, job) => sum + (job.latest?.connected ?? 0), 0);
  }

  /** Takes what a tester reports; jobs that it no longer knows have ended. */
  take(node: FleetNode, samples: readonly PullSample[], nowMs: number): boolean {
    let mine = false;
    for (const job of this.jobs) {
      if (job.tester.node !== node || job.state === 'failed') continue;
      const sample = samples.find((candidate) => candidate.job === job.id);
      if (sample) {
        job.latest = sample;
        job.state = sample.state;
        mine = true;
      } else if (job.latest) {
        job.latest = emptied(job.latest);
        job.state = 'ended';
      }
    }
    const nobody = this.fullMs !== undefined && this.jobs.every((job) => (job.latest?.connected ?? 0) === 0);
    this.emptySinceMs = nobody ? (this.emptySinceMs ?? nowMs) : undefined;
    return mine;
  }

  /** The tester's process is gone, and its viewers with it. Returns the jobs that this ended. */
  lose(node: FleetNode, problem: string): PullJob[] {
    const lost = this.remaining().filter((job) => job.tester.node === node);
    for (const job of lost) this.fail(job, problem);
    return lost;
  }

  /** Jobs that are not over. */
  remaining(): PullJob[] {
    return this.jobs.filter((job) => job.state !== 'ended' && job.state !== 'failed');
  }

  /** Tells the testers to send their viewers home. One that can't be told now is told again at the next call. */
  async leave(nowMs: number, force: boolean, only?: PullJob): Promise<void> {
    if (!only) this.leaveMs ??= nowMs;
    const wanted = force ? 'by force' : 'properly';
    await Promise.all(
      this.remaining().map(async (job) => {
        if (only && job !== only) return;
        if (job.leaveTaken === 'by force' || job.leaveTaken === wanted) return;
        try {
          await job.tester.node.driver.stop(job.id, force);
          job.leaveTaken = wanted;
        } catch (error) {
          job.problem = (error as Error).message;
        }
      }),
    );
  }

  /** The series' value of viewers wanted from one tester now. */
  wanted(nowMs: number, node: FleetNode): number {
    const mine = this.jobs.filter((job) => job.tester.node === node);
    return mine.reduce((sum, job) => sum + wantedViewers(nowMs, this.seen(), job.viewers), 0);
  }

  seen(): PullSeen {
    return {
      startedMs: this.startedMs ?? Number.POSITIVE_INFINITY,
      viewers: this.plan.viewers,
      ratePerSecond: this.plan.ratePerSecond,
      holdMs: this.plan.holdMs,
      fullMs: this.fullMs,
      emptySinceMs: this.emptySinceMs,
      leaveMs: this.leaveMs,
      isDirected: this.isDirected,
      jobs: this.jobs.map(jobSeen),
    };
  }

  views(): JobView[] {
    return this.jobs.map((job) => ({
      id: job.id,
      kind: 'pull',
      node: job.tester.name,
      stream: this.plan.stream,
      state:
        this.leaveMs !== undefined && job.state !== 'ended' && job.state !== 'failed' ? 'leaving' : job.state,
      requested: job.viewers,
      connected: job.latest?.connected ?? 0,
      present: job.latest?.present ?? 0,
      problem: job.problem,
    }));
  }

  /** The testers' lists of viewers; a tester that can't be asked any more has none, nor has one for those of long ago. */
  async viewers(): Promise<ViewerRow[]> {
    const rows: ViewerRow[] = [];
    for (const job of this.jobs) {
      if (!job.tester.node.running || !job.latest) continue;
      try {
        rows.push(...(await listed(job)));
      } catch (error) {
        if (!(error instanceof FullhouseError && error.code === 'no-job')) throw error;
      }
    }
    return rows;
  }

  /** One viewer of a job, by its tester. */
  async detail(job: PullJob, viewer: number): Promise<ViewerDetail> {
    const { name, node } = job.tester;
    if (!node.running)
      throw new FullhouseError(
        'no-viewer-detail',
        `${name} is not running, so it has no details of its viewers.`,
      );
    const { driver } = node;
    if (!driver.viewer)
      throw new FullhouseError(
        'no-viewer-detail',
        `${name} has no details of single viewers: only testers with our agent do.`,
      );
    return driver.viewer(job.id, viewer);
  }

  private fail(job: PullJob, problem: string): void {
    job.state = 'failed';
    job.problem = problem;
    if (job.latest) job.latest = emptied(job.latest);
  }
}

async function listed(job: PullJob): Promise<ViewerRow[]> {
  const rows: ViewerRow[] = [];
  for (let offset = 0; ; offset += 1000) {
    const { total, viewers } = await job.tester.node.driver.viewers(job.id, offset, 1000);
    rows.push(...viewers.map((viewer) => ({ ...viewer, tester: job.tester.name, job: job.id })));
    if (viewers.length === 0 || offset + viewers.length >= total) return rows;
  }
}

function jobSeen(job: PullJob): JobSeen {
  const { latest } = job;
  return {
    state: job.state,
    waiting: latest?.waiting ?? 0,
    connecting: latest?.connecting ?? 0,
    connected: latest?.connected ?? 0,
    present: latest?.present ?? 0,
    // Accepted, but nothing reported yet: not the same as nobody waiting.
    ...(latest || job.state === 'failed' ? {} : { state: 'starting' as const }),
  };
}

/** A job after its end: what it counted stays, nobody is there any more. */
function emptied(sample: PullSample): PullSample {
  return {
    ...sample,
    state: 'ended',
    waiting: 0,
    connecting: 0,
    connected: 0,
    degraded: 0,
    present: 0,
    rateAchieved: 0,
    bitrateKbps: 0,
    packetsPerSecond: sample.packetsPerSecond === undefined ? undefined : 0,
    lossPercent: undefined,
    values: {},
    tester: undefined,
  };
}
