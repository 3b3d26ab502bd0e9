import type { PlanPull } from '../../../domain/plan/plan';
import type { JobView } from '../../../domain/run';
import { evenShares, sharesOf } from '../../../domain/shares';
import { Pull, type PullJob, type Tester } from '../pull';
import type { Venue } from '../pullToBegin';
import { audienceJob, remainingJobs } from './audienceJobs';
import type { Director, HouseSeen, Wish } from './director';
import { newcomersOf } from './dealt';
import { partsOf } from './parts';

export interface DirectedAudienceDeps {
  readonly now: () => number;
  readonly nextJob: () => string;
  /** A part is about to be asked for: from now on it belongs to the run. */
  readonly begin: (part: Pull, venue: Venue) => void;
  /** Disconnects a part, or only one of its jobs. */
  readonly leave: (part: Pull, only?: PullJob, force?: boolean) => void;
  readonly say: (sentence: string) => void;
}

/**
 * An audience that grows and shrinks as its director wishes. Testers know pulls that come and leave whole, so it is made of many: who
 * came last leaves first, and where that sends home too many the rest comes again.
 */
export class DirectedAudience {
  /** The largest that was wished for so far. */
  mostWanted = 0;
  private wanted = 0;
  private staff: Pull[] = [];
  private leaving: Pull[] = [];
  private settledMs: number | undefined;
  private hasEnded = false;
  /** Every part so far: what they count is the audience's. */
  private readonly parts: Pull[] = [];
  /** The names of this audience's jobs, one for each tester; those of its parts are between us and the testers. */
  private readonly jobIds: readonly string[];
  /** Testers whose job was stopped: they get no more viewers. */
  private readonly withdrawn = new Set<Tester>();

  constructor(
    private readonly plan: PlanPull,
    private readonly venue: Venue,
    readonly director: Director,
    private readonly deps: DirectedAudienceDeps,
  ) {
    this.jobIds = venue.testers.map(() => deps.nextJob());
  }

  get testers(): readonly Tester[] {
    return this.venue.testers;
  }

  /** One job for each tester, whatever the number of its parts. */
  views(): JobView[] {
    return this.testers.map((tester, index) =>
      audienceJob(this.jobIds[index] ?? '', this.plan.stream, tester, {
        parts: this.parts,
        staying: this.staff,
        isStopped: this.hasEnded || this.withdrawn.has(tester),
      }),
    );
  }

  /** The tester of a job as `views` names it. */
  testerOf(job: string): Tester | undefined {
    return this.testers[this.jobIds.indexOf(job)];
  }

  /**
   * Stops a tester's job: its viewers disconnect and it gets no more; the others keep their shares. A search ends with it, since a size
   * can't be reached any more, and so does an audience without a tester.
   */
  withdraw(tester: Tester, force = false): void {
    this.withdrawn.add(tester);
    if (this.director.found !== undefined || this.withdrawn.size === this.testers.length) this.end();
    this.disconnectWithdrawn(force);
  }

  /** Asks the director, and does as it wishes. Parts that could not be told to leave stay the run's concern. */
  step(): void {
    this.disconnectWithdrawn(false);
    if (this.hasEnded) return;
    const wish = this.director.next(this.look(this.deps.now()));
    if (wish === 'end') this.end();
    else if (wish) this.fulfil(wish);
  }

  /** Nobody more comes. Who is there is sent home by whoever calls this. */
  close(): void {
    this.hasEnded = true;
  }

  /** `drain` once nobody more is to come. */
  get phase(): 'ramp' | 'hold' | 'drain' {
    return this.hasEnded ? 'drain' : this.director.phase;
  }

  get wantedNow(): number {
    return this.wanted;
  }

  get isOver(): boolean {
    return this.hasEnded;
  }

  private end(): void {
    this.close();
    for (const part of this.staff) this.deps.leave(part);
  }

  /** Also what a tester could not be told at the first time, or accepted only afterwards. */
  private disconnectWithdrawn(force: boolean): void {
    for (const tester of this.withdrawn)
      for (const { part, job } of remainingJobs(this.parts, tester))
        if (force || job.leaveTaken === undefined) this.deps.leave(part, job, force);
  }

  private look(nowMs: number): HouseSeen {
    this.leaving = this.leaving.filter((part) => !part.isSettled);
    const isSettled = this.leaving.length === 0 && this.staff.every((part) => part.isSettled);
    this.settledMs = isSettled ? (this.settledMs ?? nowMs) : undefined;
    return {
      nowMs,
      wanted: this.wanted,
      ...(this.settledMs === undefined ? {} : { settledMs: this.settledMs }),
    };
  }

  private fulfil({ viewers, ratePerSecond, replace = 0, grain, isPassing, sentence }: Wish): void {
    if (sentence !== undefined) this.deps.say(sentence);
    this.wanted = viewers;
    this.mostWanted = Math.max(this.mostWanted, viewers);
    this.settledMs = undefined;
    let there = this.staff.reduce((sum, part) => sum + part.plan.viewers, 0);
    const sendHome = (part: Pull | undefined): void => {
      if (!part) return;
      there -= part.plan.viewers;
      this.leaving.push(part);
      this.deps.leave(part);
    };
    const fits = (): boolean => there - (this.staff.at(-1)?.plan.viewers ?? 0) >= viewers;
    while (this.staff.length > 0 && there > viewers && (!isPassing || fits())) sendHome(this.staff.pop());
    const rest = there - replace;
    while (this.staff.length > 0 && there > rest) sendHome(this.staff.shift());
    if (there > viewers) return;
    this.bring(viewers, viewers - there, ratePerSecond, grain);
  }

  /** All parts arrive side by side, each at its share of the rate. */
  private bring(viewers: number, missing: number, ratePerSecond: number, grain: number | undefined): void {
    const { testers } = this.venue;
    const target = sharesOf(viewers, this.plan.by, this.plan.weights);
    const present = testers.map((tester) =>
      this.staff
        .flatMap(({ jobs }) => jobs.filter((job) => job.tester === tester))
        .reduce((sum, job) => sum + job.viewers, 0),
    );
    let newcomers = missing;
    testers.forEach((tester, index) => {
      const share = target[index] ?? 0;
      if (!this.withdrawn.has(tester)) return;
      newcomers -= Math.max(0, share - (present[index] ?? 0));
      present[index] = share;
    });
    if (newcomers <= 0) return;
    const newcomersByTester = newcomersOf(newcomers, target, present);
    const parts = partsOf(newcomers, grain);
    const dealt = newcomersByTester.map((share) => evenShares(share, parts.length));
    parts.forEach((_, place) => {
      const shares = dealt.map((each) => each[place] ?? 0);
      const part = shares.reduce((sum, each) => sum + each, 0);
      if (part === 0) return;
      const pull = new Pull(
        { ...this.plan, viewers: part, ratePerSecond: (ratePerSecond * part) / newcomers, holdMs: 0 },
        testers,
        this.deps.nextJob,
        { mostHoldMs: this.mostHoldMs, shares },
      );
      this.staff.push(pull);
      this.parts.push(pull);
      this.deps.begin(pull, this.venue);
    });
  }

  private get mostHoldMs(): number {
    const { endsMs } = this.director;
    return endsMs === undefined ? 0 : Math.max(1, endsMs - this.deps.now());
  }
}
