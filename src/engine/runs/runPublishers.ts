import type { PublishedGroup, PublisherGroup } from '../../domain/model/publisherGroup';
import type { Clock } from '../base/clock';
import type { FleetNode } from '../fleet/node';
import type { Publications, TesterPublication } from '../fleet/publications';
import type { PublicationSample } from '../load/driver';
import type { LoadController } from './control/loadController';
import type { PullState } from './pullSteps';

type Problems = NonNullable<PublishedGroup['problems']>;

/** Publishers that one request lists at most. */
const pageSize = 1000;
/** The ramp waits so long for the last publisher; one that is lost at once connects again without end. */
const lastAttemptMs = 15_000;
/** Different reasons of failed publishers that a run saves. */
const maxProblems = 20;

/** Publishers of one entry of a plan without an audience: from their start to their end. */
export class GroupJob {
  startedMs: number | undefined;
  fullMs: number | undefined;
  leaveMs: number | undefined;
  /** When it ended because none of its publishers was connected. */
  lostAllMs: number | undefined;
  /** Why it could not be started, or ended before it was ordered to. */
  problem: string | undefined;
  private job: string | undefined;
  private latest: PublicationSample | undefined;
  private livePeak = 0;
  private emptySinceMs: number | undefined;
  /** When its last publisher had been started. */
  private allStartedMs: number | undefined;
  private updatedMs = 0;
  private isStarting = false;
  private isOver = false;
  private isGivenUp = false;
  private problems: Problems = [];

  constructor(
    readonly group: PublisherGroup,
    readonly node: FleetNode,
    readonly tester: FleetNode,
    /** The number of its first publisher, where it is a part of publishers whose controller decides when it ends. */
    readonly firstNumber?: number,
  ) {}

  get isControlled(): boolean {
    return this.firstNumber !== undefined;
  }

  /**
   * Orders the publishers; resolves with what is notable. Ends them at once if that was ordered meanwhile. Never
   * rejects.
   */
  async start(publications: Publications, nowMs: number): Promise<readonly string[]> {
    const sentences = await this.order(publications, nowMs);
    if (this.leaveMs === undefined) return sentences;
    const problem = await this.end(publications);
    return problem === undefined ? sentences : [...sentences, problem];
  }

  private async order(publications: Publications, nowMs: number): Promise<readonly string[]> {
    const { node: _, by: __, holdMs: ___, search: ____, ...order } = this.group.publication;
    const { firstNumber } = this;
    this.startedMs = nowMs;
    this.isStarting = true;
    try {
      const { job, warnings } = await publications.publish(
        this.node,
        firstNumber === undefined ? order : { ...order, firstNumber },
        this.tester,
      );
      this.job = job;
      return warnings.map((warning) => `${this.group.by}: ${warning}`);
    } catch (error) {
      this.problem = (error as Error).message;
      this.isOver = true;
      return [];
    } finally {
      this.isStarting = false;
    }
  }

  /** The publication; undefined before its start, and where it could not be started. */
  get id(): string | undefined {
    return this.job;
  }

  get couldNotStart(): boolean {
    return this.isOver && this.job === undefined;
  }

  /** Takes its latest sample; `ended` where its publication no longer exists, though it was not ordered to end. */
  update(publications: Publications, nowMs: number): 'ended' | undefined {
    if (this.job === undefined || this.isOver || this.isStarting) return undefined;
    const publication = this.publicationIn(publications);
    if (!publication) {
      this.isOver = true;
      return this.leaveMs === undefined ? 'ended' : undefined;
    }
    if (this.leaveMs !== undefined) return undefined;
    this.latest = publication.latest ?? this.latest;
    const { live } = this;
    this.livePeak = Math.max(this.livePeak, live);
    if (this.latest && this.waiting === 0) this.allStartedMs ??= nowMs;
    this.updatedMs = nowMs;
    const isEmpty = this.fullMs !== undefined && live + this.connecting === 0;
    this.emptySinceMs = isEmpty ? (this.emptySinceMs ?? nowMs) : undefined;
    return undefined;
  }

  /**
   * Ends the publishers and closes their sessions. Never rejects; resolves with a sentence if that failed: the tester
   * then gets the order again until it follows it.
   */
  async leave(publications: Publications, nowMs: number): Promise<string | undefined> {
    if (this.leaveMs !== undefined) return undefined;
    this.leaveMs = nowMs;
    // Ended by its start.
    if (this.isStarting) return undefined;
    await this.readProblems(publications);
    return this.end(publications);
  }

  private async end(publications: Publications): Promise<string | undefined> {
    try {
      if (this.job !== undefined) await publications.release(this.job);
      if (!this.publicationIn(publications)) this.isOver = true;
      return undefined;
    } catch (error) {
      return (error as Error).message;
    }
  }

  private publicationIn(publications: Publications): TesterPublication | undefined {
    return publications.byAgents().find(({ job }) => job === this.job);
  }

  /** Its tester is gone, and its publishers with it; false if they had ended before. */
  lose(problem: string): boolean {
    if (this.isOver || this.leaveMs !== undefined) return false;
    this.isOver = true;
    this.problem = problem;
    return true;
  }

  /** They could not be ended in time: the run does not wait any longer. */
  giveUp(): void {
    this.isOver = true;
    this.isGivenUp = true;
  }

  /** Publishers that have not ended. */
  get present(): number {
    return this.isOver && !this.isGivenUp ? 0 : (this.latest?.live ?? 0) + (this.latest?.connecting ?? 0);
  }

  /** Why publishers failed or were lost, as their tester lists each of them. Never rejects. */
  async readProblems(publications: Publications): Promise<void> {
    const { job } = this;
    if (job === undefined || this.failed + this.connecting === 0) return;
    const counts = new Map<string, number>();
    try {
      for (let offset = 0, total = 1; offset < total; offset += pageSize) {
        const page = await publications.publishers(job, offset, pageSize);
        total = page.total;
        for (const { state, problem } of page.publishers)
          if (state !== 'live' && problem !== undefined) counts.set(problem, (counts.get(problem) ?? 0) + 1);
      }
    } catch {
      // The latest reason is in each sample of the publishers.
      if (this.latest?.problem !== undefined) counts.set(this.latest.problem, this.failed);
    }
    this.problems = sortedProblems(counts);
  }

  get live(): number {
    return this.isOver ? 0 : (this.latest?.live ?? 0);
  }

  get connecting(): number {
    return this.isOver ? 0 : (this.latest?.connecting ?? 0);
  }

  get failed(): number {
    return this.couldNotStart ? this.group.publishers : (this.latest?.failed ?? 0);
  }

  /** Not started yet. */
  get waiting(): number {
    if (this.isOver) return 0;
    return this.latest ? (this.latest.waiting ?? 0) : this.group.publishers;
  }

  get sentMbps(): number {
    return this.isOver || this.leaveMs !== undefined ? 0 : (this.latest?.bitrateKbps ?? 0) / 1000;
  }

  /** Progress, by the rules of an audience with one ramp and hold. */
  seen(): PullState {
    const { group, startedMs = 0, fullMs, leaveMs, emptySinceMs, isOver, latest } = this;
    const { live, waiting } = this;
    const isRampOver = fullMs === undefined && this.updatedMs - (this.allStartedMs ?? Infinity) >= lastAttemptMs;
    const connecting = isRampOver ? 0 : this.connecting;
    const isGone = isOver && leaveMs === undefined;
    const ramping = waiting > 0 || connecting > 0 ? 'ramping-up' : 'holding';
    return {
      startedMs,
      viewers: group.publishers,
      ratePerSecond: group.ratePerSecond,
      holdMs: group.holdMs,
      ...(this.isControlled ? { isControlled: true } : {}),
      ...(fullMs === undefined ? {} : { fullMs }),
      ...(leaveMs === undefined ? {} : { leaveMs }),
      ...(emptySinceMs === undefined ? {} : { emptySinceMs }),
      jobs: [
        {
          state: isGone ? 'failed' : isOver ? 'ended' : latest ? ramping : 'starting',
          waiting,
          connecting,
          connected: live,
          present: isOver ? 0 : live + this.connecting,
        },
      ],
    };
  }

  view(): PublishedGroup {
    const { group, latest, livePeak, failed, problem, problems } = this;
    const { publication, by, publishers } = group;
    const known = problem === undefined || problems.length > 0 ? problems : [{ sentence: problem, count: failed }];
    return {
      ...{ stream: publication.stream, node: publication.node, by, requested: publishers, livePeak, failed },
      live: latest?.live ?? 0,
      ...(known.length > 0 ? { problems: known } : {}),
    };
  }
}

const sortedProblems = (counts: ReadonlyMap<string, number>): Problems =>
  [...counts]
    .map(([sentence, count]) => ({ sentence, count }))
    .sort((a, b) => b.count - a.count)
    .slice(0, maxProblems);

/** Publishers in parts, whose controller decides on their number. */
export interface PublishersInParts {
  readonly controller: LoadController;
  readonly peakTarget: number;
  readonly targetNow: number;
  readonly phase: 'ramp' | 'hold' | 'drain';
  readonly isOver: boolean;
  /** The publications of the latest target. */
  readonly active: readonly GroupJob[];
  /** The most that were live at once. */
  readonly peak: number;
  close(): void;
}

/** The publishers of a run whose load is publishers alone. */
export class RunPublishers {
  /** Publishers whose controller decides on their number; their parts are groups. */
  controlled: PublishersInParts | undefined;
  private readonly groups: GroupJob[] = [];

  constructor(
    private readonly publications: Publications,
    private readonly clock: Clock,
  ) {}

  get controlledList(): readonly PublishersInParts[] {
    return this.controlled ? [this.controlled] : [];
  }

  get list(): readonly GroupJob[] {
    return this.groups;
  }

  /** Starts a group. Never rejects. */
  async start(group: GroupJob): Promise<readonly string[]> {
    this.groups.push(group);
    return group.start(this.publications, this.clock.now());
  }

  /** Takes the latest samples; the groups that have ended without an order. */
  update(): readonly GroupJob[] {
    return this.groups.filter((group) => group.update(this.publications, this.clock.now()) === 'ended');
  }

  /** Resolves with sentences about groups that could not be ended. */
  async leave(groups: readonly GroupJob[] = this.groups): Promise<readonly string[]> {
    const sentences = await Promise.all(groups.map((group) => group.leave(this.publications, this.clock.now())));
    return sentences.filter((sentence) => sentence !== undefined);
  }

  readProblems(group: GroupJob): Promise<void> {
    return group.readProblems(this.publications);
  }

  seen(): PullState[] {
    return this.groups.map((group) => group.seen());
  }

  /** The groups as they are saved: the parts of controlled publishers are one. */
  views(): PublishedGroup[] {
    const views = this.groups.map((group) => group.view());
    const [first] = views;
    const { controlled } = this;
    if (!controlled || !first) return views;
    const problems = new Map<string, number>();
    for (const { sentence, count } of views.flatMap(({ problems: own = [] }) => own))
      problems.set(sentence, (problems.get(sentence) ?? 0) + count);
    const listed = sortedProblems(problems);
    return [
      {
        ...{ stream: first.stream, node: first.node, by: first.by },
        requested: controlled.peakTarget,
        live: controlled.active.reduce((sum, { live }) => sum + live, 0),
        livePeak: controlled.peak,
        failed: views.reduce((sum, { failed }) => sum + failed, 0),
        ...(listed.length > 0 ? { problems: listed } : {}),
      },
    ];
  }

  /** Publishers that have not ended. */
  present(): number {
    return this.groups.reduce((sum, { present }) => sum + present, 0);
  }

  /** Whether a server under test, or a tester, has publishers that were not ordered to end. */
  isUsing(node: FleetNode): boolean {
    return this.active.some((group) => group.node === node || group.tester === node);
  }

  /** Groups that were started and not ordered to end. */
  get active(): readonly GroupJob[] {
    return this.groups.filter(({ startedMs, leaveMs }) => startedMs !== undefined && leaveMs === undefined);
  }
}
