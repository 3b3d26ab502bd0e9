import { bucketOf, middleOf, zeroBelow } from './buckets';

/** Counts by bucket. */
type Buckets = Map<number, number>;

/**
 * The distribution of a figure over viewers and time: counts by buckets (`buckets.ts`), and the lowest and the highest
 * value. Any number of histograms merge exactly, in any order: percentiles of the whole, not of its parts.
 */
export class Histogram {
  /** Buckets of positive values, and of negative ones by their size. */
  readonly positive: Buckets = new Map();
  readonly negative: Buckets = new Map();
  zero = 0;
  count = 0;
  /** NaN without values. */
  low = NaN;
  high = NaN;

  static of(values: Iterable<number>): Histogram {
    const histogram = new Histogram();
    for (const value of values) histogram.add(value);
    return histogram;
  }

  /** All of them as one; undefined if none has values. */
  static merged(all: Iterable<Histogram | undefined>): Histogram | undefined {
    const whole = new Histogram();
    for (const histogram of all) if (histogram) whole.merge(histogram);
    return whole.count > 0 ? whole : undefined;
  }

  /** Counts a value; what is not a finite number counts nothing. */
  add(value: number, times = 1): void {
    if (!Number.isFinite(value) || times <= 0) return;
    this.extend(value, value);
    this.addTimes(value, times);
  }

  merge(other: Histogram): void {
    if (other.count === 0) return;
    this.extend(other.low, other.high);
    this.count += other.count;
    this.zero += other.zero;
    for (const [bucket, count] of other.positive) increase(this.positive, bucket, count);
    for (const [bucket, count] of other.negative) increase(this.negative, bucket, count);
  }

  /**
   * The values that `percents` of the values do not exceed (nearest rank), each within `maxRelativeError`; the lowest and
   * the highest are exact. NaN without values.
   */
  percentiles(percents: readonly number[]): number[] {
    const steps = this.steps();
    return percents.map((percent) => {
      const rank = Math.min(this.count, Math.max(1, Math.ceil((percent / 100) * this.count)));
      if (rank === 1) return this.low;
      if (rank === this.count) return this.high;
      let passed = 0;
      for (const { value, count } of steps) {
        passed += count;
        if (passed >= rank) return Math.min(this.high, Math.max(this.low, value));
      }
      return this.high;
    });
  }

  percentile(percent: number): number {
    return this.percentiles([percent])[0] ?? NaN;
  }

  /**
   * All values with `by` added. The error of each adds up: that of its own bucket, and that of its bucket in the result.
   */
  shifted(by: number): Histogram {
    if (by === 0 || this.count === 0) return this;
    const shifted = new Histogram();
    shifted.extend(this.low + by, this.high + by);
    for (const { value, count } of this.steps()) shifted.addTimes(value + by, count);
    return shifted;
  }

  /** Within `maxRelativeError` for values of one sign. */
  get sum(): number {
    let sum = 0;
    for (const [bucket, count] of this.positive) sum += middleOf(bucket) * count;
    for (const [bucket, count] of this.negative) sum -= middleOf(bucket) * count;
    return sum;
  }

  /** What represents each bucket, ascending, with its count. */
  steps(): ReadonlyArray<{ readonly value: number; readonly count: number }> {
    const sorted = (buckets: Buckets): Array<[number, number]> => [...buckets].sort(([a], [b]) => a - b);
    return [
      ...sorted(this.negative)
        .reverse()
        .map(([bucket, count]) => ({ value: -middleOf(bucket), count })),
      ...(this.zero > 0 ? [{ value: 0, count: this.zero }] : []),
      ...sorted(this.positive).map(([bucket, count]) => ({ value: middleOf(bucket), count })),
    ];
  }

  private addTimes(value: number, times: number): void {
    this.count += times;
    if (value >= zeroBelow) increase(this.positive, bucketOf(value), times);
    else if (value <= -zeroBelow) increase(this.negative, bucketOf(-value), times);
    else this.zero += times;
  }

  private extend(low: number, high: number): void {
    if (!(this.low <= low)) this.low = low;
    if (!(this.high >= high)) this.high = high;
  }
}

function increase(buckets: Buckets, bucket: number, by: number): void {
  buckets.set(bucket, (buckets.get(bucket) ?? 0) + by);
}
