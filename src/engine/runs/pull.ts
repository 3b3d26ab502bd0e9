import type { JobTurn } from '../../contract/turnProtocol';
import type { ViewerTokens } from '../servers/adapter';
import type { ClockView } from '../../domain/model/node';
import type { Audience } from '../../domain/model/plan';
import type { JobState, JobView } from '../../domain/model/run';
import type { ViewerRow, ViewerDetail } from '../../contract/viewerSchemas';
import { longestMs } from '../../domain/plan/quantity';
import { orderedOptions } from '../../domain/plan/optionRules';
import { distributeViewers } from '../../domain/model/distribution';
import { agentLimits } from '../../contract/agentLimits';
import { FullhouseError } from '../../contract/calls';
import { sourceOn } from '../fleet/mediaFiles';
import type { FleetNode } from '../fleet/node';
import { drained } from '../load/drained';
import type { JobHeaders, PullSample } from '../load/driver';
import { correctedRow, withDelays, type Clocks } from './delays';
import { isSettled, targetViewers, type PullJobState, type PullState } from './pullSteps';

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
  /** Its tester has no capacity for so many viewers. */
  isTooMany?: boolean;
  latest?: PullSample;
  /** Why its latest report has no delay, if the clocks differ. */
  clockProblem?: string;
  /** Its tester has accepted the order to disconnect. */
  leaveTaken?: 'properly' | 'by force';
}

/** How much later than ours the agent's own end of the pull is: it is the safety net, not the clock. */
const netMs = 30_000;

/** Additions for a part of a controlled audience. */
export interface AudiencePart {
  /** When its testers end it without further orders; 0: never. */
  readonly maxHoldMs: number;
  /** Viewers of each tester, in their order. */
  readonly shares: readonly number[];
  /** When the audience started: its simulated network changes by that time. */
  readonly audienceStartedMs: number;
}

/** One pull of a run: its jobs on the testers and their state. */
export class Pull {
  readonly jobs: readonly PullJob[];
  startedMs: number | undefined;
  fullMs: number | undefined;
  leaveMs: number | undefined;
  /** When it ended because none of its viewers was connected. */
  lostAllMs: number | undefined;
  private emptySinceMs: number | undefined;
  private senderClock: PullTarget['senderClock'];

  constructor(
    readonly plan: Audience,
    testers: readonly Tester[],
    nextJob: () => string,
    /** Present where a controller decides when it ends, not the plan. */
    private readonly part?: AudiencePart,
  ) {
    const shares =
      part?.shares ??
      distributeViewers(
        plan.viewers,
        testers.map(({ name }) => name),
        plan.weights,
      );
    this.jobs = testers.flatMap((tester, index) => {
      const viewers = shares[index] ?? 0;
      return viewers > 0 ? [{ id: nextJob(), tester, viewers, state: 'starting' }] : [];
    });
  }

  /**
   * Starts the job on every tester. A refusal fails that job with the tester's sentence; the warnings of the others are
   * returned.
   */
  async start(
    nowMs: number,
    {
      url,
      urls,
      nominalFps,
      allowCrossOrigin,
      selfSigned,
      proxy,
      login,
      tokens,
      headers,
      turn,
      senderClock,
    }: Omit<PullTarget, 'testers'>,
  ): Promise<string[]> {
    this.startedMs = nowMs;
    this.senderClock = senderClock;
    const answers = await Promise.all(
      this.jobs.map(async (job) => {
        try {
          const ratePerSecond = (this.plan.ratePerSecond * job.viewers) / this.plan.viewers;
          // Before anything is waited for: the participants of a room are of consecutive jobs.
          const ownTokens = tokens?.(job.viewers, (1000 * job.viewers) / ratePerSecond + this.reconnectingMs);
          const ownHeaders = headers?.(job.viewers);
          const { rooms } = this.plan;
          const { warnings } = await job.tester.node.driver.start({
            job: job.id,
            protocol: this.plan.protocol,
            url,
            ...(urls ? { urls: urls(job.viewers) } : {}),
            stream: this.plan.stream,
            viewers: job.viewers,
            ratePerSecond,
            maxHoldMs: this.maxHoldMs,
            nominalFps,
            allowCrossOrigin,
            selfSigned,
            proxy,
            login,
            ...orderedOptions(this.plan),
            adaptiveStream: this.plan.adaptiveStream,
            watchFor: this.plan.watchFor,
            network: this.plan.network,
            rooms: rooms && { ...rooms, source: await sourceOn(job.tester.node, rooms.source) },
            turn,
            networkForMs: nowMs - (this.part?.audienceStartedMs ?? nowMs),
            ...(ownTokens ? { tokens: ownTokens } : {}),
            ...(ownHeaders ? { headers: ownHeaders } : {}),
          });
          if (job.state === 'starting') job.state = 'ramping-up';
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

  /** For how long after their arrival viewers may connect again with their tokens. */
  private get reconnectingMs(): number {
    if (!this.plan.reconnect && !this.plan.watchFor) return 0;
    return this.maxHoldMs === 0 ? longestMs : this.maxHoldMs;
  }

  private get maxHoldMs(): number {
    const plannedMs = this.part ? this.part.maxHoldMs : this.plan.holdMs;
    return plannedMs === 0 ? 0 : Math.round(plannedMs) + netMs;
  }

  /** No viewer of it is connecting or disconnecting. */
  get isSettled(): boolean {
    return isSettled(this.seen());
  }

  get isControlled(): boolean {
    return this.part !== undefined;
  }

  get connected(): number {
    return this.jobs.reduce((sum, job) => sum + (job.latest?.connected ?? 0), 0);
  }

  /** Takes a tester's report, and returns what it has of this pull; jobs that it no longer lists have ended. */
  take(node: FleetNode, samples: readonly PullSample[], nowMs: number): readonly PullSample[] {
    const taken: PullSample[] = [];
    for (const job of this.jobs) {
      if (job.tester.node !== node || job.state === 'failed') continue;
      const sample = samples.find((candidate) => candidate.job === job.id);
      if (sample) {
        const { distributions, problem } = withDelays(sample, this.clocks(job), this.plan.stream, job.tester.name);
        job.latest = { ...sample, distributions };
        taken.push(job.latest);
        job.clockProblem = problem;
        job.state = sample.state;
      } else if (job.latest) {
        job.latest = drained(job.latest);
        job.state = 'ended';
      }
    }
    const isEmpty =
      this.fullMs !== undefined &&
      this.jobs.every(({ latest }) => (latest?.connected ?? 0) + (latest?.reconnecting ?? 0) === 0);
    this.emptySinceMs = isEmpty ? (this.emptySinceMs ?? nowMs) : undefined;
    return taken;
  }

  private clocks({ tester: { node } }: PullJob): Clocks {
    return { tester: node.running ? node.driver.remoteClock : undefined, sender: this.senderClock?.() };
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

  /**
   * Orders the testers to disconnect their viewers. One that can't be reached now gets the order again at the next
   * call.
   */
  async leave(nowMs: number, force: boolean, only?: PullJob): Promise<void> {
    if (!only) this.leaveMs ??= nowMs;
    const manner = force ? 'by force' : 'properly';
    const due = (): PullJob[] => this.remaining().filter((job) => !only || job === only);
    await Promise.all(
      due().map(async (job) => {
        if (job.leaveTaken === 'by force' || job.leaveTaken === manner) return;
        try {
          await job.tester.node.driver.stop(job.id, force);
          job.leaveTaken = manner;
        } catch (error) {
          job.problem = (error as Error).message;
        }
      }),
    );
    // Forcing works even when a tester does not respond.
    if (force) await endTesters(due().filter((job) => job.leaveTaken !== 'by force'));
  }

  /** Does so with one job; the pull has ended when its last job has. */
  leaveJob(nowMs: number, job: PullJob, force: boolean): Promise<void> {
    const hasOthers = this.remaining().some((other) => other !== job);
    return this.leave(nowMs, force, hasOthers ? job : undefined);
  }

  /** Ends the testers that could not disconnect their viewers. */
  kill(): void {
    void endTesters(this.remaining());
  }

  /** Value of the series of target viewers, of one tester or of all. */
  wanted(nowMs: number, node?: FleetNode): number {
    const mine = this.jobs.filter((job) => !node || job.tester.node === node);
    return mine.reduce((sum, job) => sum + targetViewers(nowMs, this.seen(), job.viewers), 0);
  }

  seen(): PullState {
    return {
      startedMs: this.startedMs ?? Number.POSITIVE_INFINITY,
      viewers: this.plan.viewers,
      ratePerSecond: this.plan.ratePerSecond,
      holdMs: this.plan.holdMs,
      fullMs: this.fullMs,
      emptySinceMs: this.emptySinceMs,
      leaveMs: this.leaveMs,
      isControlled: this.isControlled,
      jobs: this.jobs.map(jobSeen),
    };
  }

  views(): JobView[] {
    return this.jobs.map((job) => ({
      id: job.id,
      kind: 'pull',
      node: job.tester.name,
      stream: this.plan.stream,
      state: this.leaveMs !== undefined && job.state !== 'ended' && job.state !== 'failed' ? 'tearing-down' : job.state,
      requested: job.viewers,
      connected: job.latest?.connected ?? 0,
      present: job.latest?.present ?? 0,
      problem: job.problem,
    }));
  }

  /** The testers' lists of viewers; empty for a tester that can't be queried, or for viewers of long ago. */
  async viewers(): Promise<ViewerRow[]> {
    const rows: ViewerRow[] = [];
    for (const job of this.jobs) {
      if (!job.tester.node.running || !job.latest) continue;
      try {
        const clocks = this.clocks(job);
        rows.push(...(await listed(job)).map((row) => correctedRow(row, clocks)));
      } catch (error) {
        if (!(error instanceof FullhouseError && error.code === 'no-job')) throw error;
      }
    }
    return rows;
  }

  /** One viewer of a job, from its tester. */
  async detail(job: PullJob, viewer: number): Promise<ViewerDetail> {
    const { name, node } = job.tester;
    if (!node.running)
      throw new FullhouseError('no-viewer-detail', `${name} is not running, so it has no details of its viewers.`);
    const { driver } = node;
    if (!driver.viewer)
      throw new FullhouseError(
        'no-viewer-detail',
        `${name} has no details of single viewers: only testers with the Fullhouse agent do.`,
      );
    return driver.viewer(job.id, viewer);
  }

  private fail(job: PullJob, problem: string): void {
    job.state = 'failed';
    job.problem = problem;
    if (job.latest) job.latest = drained(job.latest);
  }
}

async function endTesters(jobs: readonly PullJob[]): Promise<void> {
  await Promise.all(jobs.map((job) => job.tester.node.stop(true)));
}

async function listed(job: PullJob): Promise<ViewerRow[]> {
  const rows: ViewerRow[] = [];
  for (let offset = 0; ; offset += agentLimits.maxViewersListed) {
    const { total, viewers } = await job.tester.node.driver.viewers(job.id, offset, agentLimits.maxViewersListed);
    rows.push(...viewers.map((viewer) => ({ ...viewer, tester: job.tester.name, job: job.id })));
    if (viewers.length === 0 || offset + viewers.length >= total) return rows;
  }
}

function jobSeen(job: PullJob): PullJobState {
  const { latest } = job;
  return {
    state: job.state,
    waiting: latest?.waiting ?? 0,
    connecting: latest?.connecting ?? 0,
    connected: latest?.connected ?? 0,
    present: latest?.present ?? 0,
    // Accepted, but nothing reported yet: not the same as no viewers waiting.
    ...(latest || job.state === 'failed' ? {} : { state: 'starting' as const }),
  };
}

/** Where a plan's audience pulls from, and its testers. */
export interface PullTarget {
  readonly testers: readonly Tester[];
  readonly url: string;
  /** Addresses of the next viewers in turn, if the audience has several streams. */
  readonly urls?: (viewers: number) => readonly string[];
  /** The stream's own frame rate, if the origin reports it. */
  readonly nominalFps?: number;
  readonly allowCrossOrigin?: boolean;
  readonly selfSigned?: boolean;
  readonly proxy?: string;
  /** For servers that require one (Basic). */
  readonly login?: { readonly user: string; readonly password: string };
  /** For origins that require a token per viewer. */
  readonly tokens?: ViewerTokens;
  /** Headers of the next viewers. */
  readonly headers?: (viewers: number) => JobHeaders;
  /** With its secrets. */
  readonly turn?: JobTurn;
  /** The clock by which the stream's sender stamps it, while that is known. */
  readonly senderClock?: () => ClockView | undefined;
}
