/**
 * Rates from counters that a server updates when it likes: at each answer, or once in some seconds while it is asked every second.
 */

export interface CounterRateOptions {
  /** Time between two readings as they are meant to be; default 1,000 ms. */
  readonly intervalMs?: number;
  /** How often the counter is expected to be updated, until that has been learnt; default `intervalMs`. */
  readonly periodMs?: number;
  /** The least time that a rate goes over, for sums of counters that are updated each at its own moments; default 0. */
  readonly spanMs?: number;
  /** The counter is up to date at each reading: as soon as it stands, nothing is counted. */
  readonly isLive?: boolean;
}

interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** Standing for so many update periods, a counter counts nothing any more. */
const standstillPeriods = 2;
/** A counter that did not change for longer was at a standstill: that is no update period. */
const longestPeriodMs = 15_000;
/** The period is that of so many updates. */
const learntUpdates = 4;
/** Readings are not quite on their beat. */
const slack = 0.85;
/** Where updates come irregularly, or are seen so, a rate goes over so many times the irregularity: its error stays below 20 %. */
const spreadsPerSpan = 5;
const longestSpanMs = 20_000;

/**
 * The rate of one counter, per second. It goes from one change of the counter to another and holds until the next one; the time
 * between changes is learnt. A counter that stands for two such periods has the rate 0. One that ran backwards begins anew.
 */
export class CounterRate {
  private readonly intervalMs: number;
  private readonly firstPeriodMs: number;
  private readonly leastSpanMs: number;
  private readonly isLive: boolean;
  /** The first reading, or what stands for it; its value may be older than its time. */
  private first: Point | undefined;
  /** Readings that differed from the one before, oldest first. */
  private changes: Point[] = [];
  /** Times between the latest changes. */
  private gaps: number[] = [];
  private lastMs = -Infinity;
  private rate: number | undefined;

  constructor({
    intervalMs = 1000,
    periodMs = intervalMs,
    spanMs = 0,
    isLive = false,
  }: CounterRateOptions = {}) {
    this.intervalMs = intervalMs;
    this.firstPeriodMs = periodMs;
    this.leastSpanMs = spanMs;
    this.isLive = isLive;
  }

  /**
   * Takes a reading, at `nowMs` of a clock that nobody sets; `countedMs`, of the same clock, is when the server counted last, where
   * it says so. Gives the rate, undefined while it is not known. Of two readings closer than half an interval the second says
   * nothing: the rate stays as it was.
   */
  read(nowMs: number, value: number, countedMs = nowMs): number | undefined {
    const last = this.changes.at(-1) ?? this.first;
    if (!last || value < last.value) return this.begin({ atMs: countedMs, value }, nowMs);
    const sinceMs = nowMs - this.lastMs;
    if (sinceMs < this.intervalMs / 2) return this.rate;
    this.lastMs = nowMs;
    if (value === last.value) {
      if (nowMs - last.atMs >= standstillPeriods * this.periodMs * slack + (1 - slack) * this.intervalMs)
        this.rate = 0;
      return this.rate;
    }
    return this.change(last, { atMs: countedMs, value }, sinceMs);
  }

  private begin(point: Point, nowMs: number): undefined {
    this.first = point;
    this.changes = [];
    this.gaps = [];
    this.lastMs = nowMs;
    this.rate = undefined;
  }

  private change(last: Point, now: Point, sinceMs: number): number | undefined {
    const gapMs = now.atMs - last.atMs;
    if (gapMs <= 0) return this.rate;
    if (this.isUpdate(gapMs)) this.gaps = [...this.gaps, gapMs].slice(-learntUpdates);
    else if (this.rate === 0) {
      // What it counts now came since the reading before, or within the period that it is updated in.
      this.first = {
        atMs: Math.max(last.atMs, now.atMs - Math.max(this.periodMs, sinceMs)),
        value: last.value,
      };
      this.changes = [];
    }
    const base = this.baseOf(now);
    this.changes = [...this.changes.filter(({ atMs }) => now.atMs - atMs <= 2 * longestSpanMs), now];
    if (base) this.rate = ((now.value - base.value) * 1000) / (now.atMs - base.atMs);
    return this.rate;
  }

  /** Whether the time since the change before tells how often the counter is updated, and is not that of a standstill. */
  private isUpdate(gapMs: number): boolean {
    if (this.changes.length === 0 || gapMs > longestPeriodMs) return false;
    return (
      this.rate !== 0 || this.gaps.length === 0 || gapMs <= standstillPeriods * 1.5 * Math.max(...this.gaps)
    );
  }

  /** From where the rate is counted: the latest change that is far enough away, else the oldest one. */
  private baseOf(now: Point): Point | undefined {
    const far = this.changes.filter(({ atMs }) => now.atMs - atMs >= slack * this.spanMs).at(-1);
    const base = far ?? this.changes[0];
    if (base) return base;
    // The first reading lies anywhere between two updates, so it has to be a period away.
    const { first } = this;
    return first && now.atMs - first.atMs >= slack * this.periodMs ? first : undefined;
  }

  /** The longest time between updates, as far as it is known. */
  private get periodMs(): number {
    if (this.isLive) return 0;
    return this.gaps.length > 0 ? Math.max(this.intervalMs, ...this.gaps) : this.firstPeriodMs;
  }

  /** The time that a rate has to go over. */
  private get spanMs(): number {
    const isStepped = this.gaps.some((gap) => gap > 1.5 * this.intervalMs);
    const spread = isStepped ? Math.max(...this.gaps) - Math.min(...this.gaps) : 0;
    return Math.max(this.leastSpanMs, Math.min(spreadsPerSpan * spread, longestSpanMs));
  }
}
