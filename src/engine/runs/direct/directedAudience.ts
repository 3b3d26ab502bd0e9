import type { PlanPull } from '../../../domain/plan/plan';
import { evenShares, sharesOf } from '../../../domain/shares';
import { Pull } from '../pull';
import type { Venue } from '../pullToBegin';
import type { Director, HouseSeen, Wish } from './director';
import { newcomersOf } from './dealt';
import { partsOf } from './parts';

export interface DirectedAudienceDeps {
  readonly now: () => number;
  readonly nextJob: () => string;
  /** A part is about to be asked for: from now on it belongs to the run. */
  readonly begin: (part: Pull, venue: Venue) => void;
  readonly leave: (part: Pull) => void;
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

  constructor(
    private readonly plan: PlanPull,
    private readonly venue: Venue,
    readonly director: Director,
    private readonly deps: DirectedAudienceDeps,
  ) {}

  /** Asks the director, and does as it wishes. Parts that could not be told to leave stay the run's concern. */
  step(): void {
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
  private bring(viewers: number, newcomers: number, ratePerSecond: number, grain: number | undefined): void {
    const { testers } = this.venue;
    const present = testers.map((tester) =>
      this.staff
        .flatMap(({ jobs }) => jobs.filter((job) => job.tester === tester))
        .reduce((sum, job) => sum + job.viewers, 0),
    );
    const newcomersByTester = newcomersOf(
      newcomers,
      sharesOf(viewers, this.plan.by, this.plan.weights),
      present,
    );
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
      this.deps.begin(pull, this.venue);
    });
  }

  private get mostHoldMs(): number {
    const { endsMs } = this.director;
    return endsMs === undefined ? 0 : Math.max(1, endsMs - this.deps.now());
  }
}
