import type { Audience } from '../../../domain/model/plan';
import type { JobView } from '../../../domain/model/run';
import { distributeEvenly, distributeViewers } from '../../../domain/model/distribution';
import type { Clock } from '../../base/clock';
import { Pull, type PullTarget, type Tester } from '../pull';
import { audienceJob, remainingJobs } from './audienceJobs';
import type { LoadController, AudienceState, AudienceTarget } from './loadController';
import { viewersToAdd } from '../../../domain/model/viewersToAdd';
import { partsOf, partsToEnd } from './parts';

export interface ControlledAudienceDeps {
  readonly clock: Pick<Clock, 'now'>;
  readonly nextJob: () => string;
}

/** What follows from a decision of the controller. */
export interface AudienceStep {
  /** For the log. */
  readonly sentence?: string | undefined;
  /** To be started: from now on they belong to the run. */
  readonly parts: readonly Pull[];
}

/**
 * An audience that grows and shrinks as its controller decides. Testers only start and end complete pulls, so it consists
 * of many: the newest ends first, and where that disconnects too many viewers the rest is started again.
 */
export class ControlledAudience {
  /** The largest target so far. */
  peakTarget = 0;
  private wanted = 0;
  private activeParts: Pull[] = [];
  private leaving: Pull[] = [];
  private settledMs: number | undefined;
  /** When its first viewers were ordered. */
  private startedMs: number | undefined;
  private hasEnded = false;
  /** Every part so far: the audience's counts are their sums. */
  private readonly parts: Pull[] = [];
  /** The names of this audience's jobs, one per tester; those of its parts are internal. */
  private readonly jobIds: readonly string[];
  /** Testers whose job was stopped: they get no more viewers. */
  private readonly withdrawn = new Set<Tester>();

  constructor(
    private readonly plan: Audience,
    readonly target: PullTarget,
    readonly controller: LoadController,
    private readonly deps: ControlledAudienceDeps,
  ) {
    this.jobIds = target.testers.map(() => deps.nextJob());
  }

  get testers(): readonly Tester[] {
    return this.target.testers;
  }

  /** One job per tester, regardless of the number of its parts. */
  views(): JobView[] {
    return this.testers.map((tester, index) =>
      audienceJob(this.jobIds[index] ?? '', this.plan.stream, tester, {
        parts: this.parts,
        staying: this.activeParts,
        isStopped: this.hasEnded || this.withdrawn.has(tester),
      }),
    );
  }

  /** The tester of a job as named by `views`. */
  testerOf(job: string): Tester | undefined {
    return this.testers[this.jobIds.indexOf(job)];
  }

  /**
   * Stops a tester's job: its viewers disconnect and it gets no more; the others keep their shares. This ends a search,
   * since a size can no longer be reached, and an audience without testers.
   */
  withdraw(tester: Tester, force = false): void {
    this.withdrawn.add(tester);
    if (this.controller.found !== undefined || this.withdrawn.size === this.testers.length) this.end();
    this.disconnectWithdrawn(force);
  }

  /** Asks the controller for a target and adjusts the audience. Parts that could not be stopped stay with the run. */
  step(): AudienceStep {
    this.disconnectWithdrawn(false);
    if (this.hasEnded) return { parts: [] };
    const next = this.controller.next(this.observe(this.deps.clock.now()));
    if (next === 'end') this.end();
    else if (next) return { sentence: next.sentence, parts: this.apply(next) };
    return { parts: [] };
  }

  /** No more viewers are started. The caller disconnects the present ones. */
  close(): void {
    this.hasEnded = true;
  }

  /** `drain` once no more viewers are started. */
  get phase(): 'ramp' | 'hold' | 'drain' {
    return this.hasEnded ? 'drain' : this.controller.phase;
  }

  get targetNow(): number {
    return this.wanted;
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  private end(): void {
    this.close();
    for (const part of this.activeParts) this.leave(part);
  }

  /** Includes orders that a tester did not receive at first, or accepted only afterwards. */
  private disconnectWithdrawn(force: boolean): void {
    for (const tester of this.withdrawn)
      for (const { part, job } of remainingJobs(this.parts, tester))
        if (force || job.leaveTaken === undefined) void part.leaveJob(this.deps.clock.now(), job, force);
  }

  private leave(part: Pull): void {
    void part.leave(this.deps.clock.now(), false);
  }

  private observe(nowMs: number): AudienceState {
    this.leaving = this.leaving.filter((part) => !part.isSettled);
    const isSettled = this.leaving.length === 0 && this.activeParts.every((part) => part.isSettled);
    this.settledMs = isSettled ? (this.settledMs ?? nowMs) : undefined;
    return {
      nowMs,
      wanted: this.wanted,
      ...(this.settledMs === undefined ? {} : { settledMs: this.settledMs }),
    };
  }

  /** Disconnects viewers of too large parts; returns new parts for the missing ones. */
  private apply(target: AudienceTarget): readonly Pull[] {
    const { viewers, ratePerSecond, grain } = target;
    this.wanted = viewers;
    this.peakTarget = Math.max(this.peakTarget, viewers);
    this.settledMs = undefined;
    const { ended, remaining } = partsToEnd(this.activeParts, ({ plan }) => plan.viewers, target);
    for (const part of ended) {
      this.leaving.push(part);
      this.leave(part);
    }
    if (remaining > viewers) return [];
    return this.newParts(viewers, viewers - remaining, ratePerSecond, grain);
  }

  /** All parts ramp up in parallel, each at its share of the rate. */
  private newParts(
    viewers: number,
    missing: number,
    ratePerSecond: number,
    grain: number | undefined,
  ): readonly Pull[] {
    const { testers } = this.target;
    const shares = distributeViewers(viewers, this.plan.by, this.plan.weights);
    const present = testers.map((tester) =>
      this.activeParts
        .flatMap(({ jobs }) => jobs.filter((job) => job.tester === tester))
        .reduce((sum, job) => sum + job.viewers, 0),
    );
    let added = missing;
    testers.forEach((tester, index) => {
      const share = shares[index] ?? 0;
      if (!this.withdrawn.has(tester)) return;
      added -= Math.max(0, share - (present[index] ?? 0));
      present[index] = share;
    });
    if (added <= 0) return [];
    const addedByTester = viewersToAdd(added, shares, present);
    const sizes = partsOf(added, grain);
    const sharesByTester = addedByTester.map((share) => distributeEvenly(share, sizes.length));
    const audienceStartedMs = (this.startedMs ??= this.deps.clock.now());
    const parts = sizes.flatMap((_, place) => {
      const partShares = sharesByTester.map((shares) => shares[place] ?? 0);
      const part = partShares.reduce((sum, share) => sum + share, 0);
      if (part === 0) return [];
      return [
        new Pull(
          { ...this.plan, viewers: part, ratePerSecond: (ratePerSecond * part) / added, holdMs: 0 },
          testers,
          this.deps.nextJob,
          { maxHoldMs: this.maxHoldMs, shares: partShares, audienceStartedMs },
        ),
      ];
    });
    this.activeParts.push(...parts);
    this.parts.push(...parts);
    return parts;
  }

  private get maxHoldMs(): number {
    const { endsMs } = this.controller;
    return endsMs === undefined ? 0 : Math.max(1, endsMs - this.deps.clock.now());
  }
}
