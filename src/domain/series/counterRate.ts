/**
 * Rates from counters that a server updates at its own interval: with each response, or every few seconds while it is
 * polled every second.
 */

export interface CounterRateOptions {
  /** Intended time between two readings; default 1,000 ms. */
  readonly intervalMs?: number;
  /** Expected update period of the counter until it has been learnt; default `intervalMs`. */
  readonly periodMs?: number;
  /** The counter is known to be updated no more often, whatever changes by a little in between; default `intervalMs`. */
  readonly minPeriodMs?: number;
  /** Minimum time that a rate covers, for sums of counters with different update times; default 0. */
  readonly spanMs?: number;
  /** The counter is current at each reading: if it does not change, its rate is 0. */
  readonly isLive?: boolean;
}

interface Point {
  readonly atMs: number;
  readonly value: number;
}

/** After so many update periods without a change, the rate is 0. */
const standstillPeriods = 2;
/** A longer time without a change is a standstill, not an update period. */
const longestPeriodMs = 15_000;
/** Number of updates from which the period is learnt. */
const learntUpdates = 4;
/** Tolerance of the reading times. */
const slack = 0.85;
/** If updates are irregular, a rate covers so many times the irregularity: its error stays below 20 %. */
const spreadsPerSpan = 5;
const longestSpanMs = 20_000;

/**
 * The rate of one counter, per second: from one change to another, held until the next one. The time between changes is
 * learnt. The rate is 0 after two such periods without a change. A counter that decreased starts again.
 */
export class CounterRate {
  private readonly intervalMs: number;
  private readonly firstPeriodMs: number;
  private readonly minPeriodMs: number;
  private readonly minSpanMs: number;
  private readonly isLive: boolean;
  /** The first reading, or its replacement; its value may be older than its time. */
  private first: Point | undefined;
  /** Readings that differed from the one before, oldest first. */
  private changes: Point[] = [];
  /** Times between the latest changes. */
  private gaps: number[] = [];
  private lastMs = -Infinity;
  private rate: number | undefined;

  constructor(options: CounterRateOptions = {}) {
    const { intervalMs = 1000, minPeriodMs = intervalMs, periodMs = minPeriodMs, spanMs = 0, isLive = false } = options;
    this.intervalMs = intervalMs;
    this.minPeriodMs = minPeriodMs;
    this.firstPeriodMs = periodMs;
    this.minSpanMs = spanMs;
    this.isLive = isLive;
  }

  /**
   * Adds a reading at `nowMs` of a monotonic clock; `countedMs`, of the same clock, is the server's own timestamp, if
   * it reports one. Returns the rate, undefined while unknown. The second of two readings closer than half an interval
   * is ignored: the rate stays as it was.
   */
  read(nowMs: number, value: number, countedMs = nowMs): number | undefined {
    const last = this.changes.at(-1) ?? this.first;
    if (!last || value < last.value) return this.begin({ atMs: countedMs, value }, nowMs);
    const sinceMs = nowMs - this.lastMs;
    if (sinceMs < this.intervalMs / 2) return this.rate;
    this.lastMs = nowMs;
    if (value === last.value) {
      if (nowMs - last.atMs >= standstillPeriods * this.periodMs * slack + (1 - slack) * this.intervalMs) this.rate = 0;
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
      // The new count was added since the reading before, or within its update period.
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

  /** Whether the time since the change before is an update period rather than a standstill. */
  private isUpdate(gapMs: number): boolean {
    if (this.changes.length === 0 || gapMs > longestPeriodMs) return false;
    return this.rate !== 0 || this.gaps.length === 0 || gapMs <= standstillPeriods * 1.5 * this.periodMs;
  }

  /** Start of the rate: the latest change that is far enough away, else the oldest one. */
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
    return this.gaps.length > 0 ? Math.max(this.minPeriodMs, ...this.gaps) : this.firstPeriodMs;
  }

  /** The time that a rate has to cover. */
  private get spanMs(): number {
    const isStepped = this.gaps.some((gap) => gap > 1.5 * this.intervalMs);
    const spread = isStepped ? Math.max(...this.gaps) - Math.min(...this.gaps) : 0;
    return Math.max(this.minSpanMs, Math.min(spreadsPerSpan * spread, longestSpanMs));
  }
}
