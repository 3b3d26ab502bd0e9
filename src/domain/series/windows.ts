/** One measured series, oldest first. */
export interface Values {
  readonly timeMs: readonly number[];
  readonly value: readonly number[];
}

/** Sums any interval of a series with two look-ups. */
export class RangeSums {
  private readonly sums: number[] = [0];

  constructor(private readonly values: Values) {
    for (const value of values.value) this.sums.push((this.sums.at(-1) ?? 0) + value);
  }

  /** Over the samples after `fromMs` and up to `toMs`; mean 0 if none. */
  mean(fromMs: number, toMs: number): { readonly mean: number; readonly count: number } {
    const from = firstAfter(this.values.timeMs, fromMs);
    const to = firstAfter(this.values.timeMs, toMs);
    const count = to - from;
    return { count, mean: count > 0 ? ((this.sums[to] ?? 0) - (this.sums[from] ?? 0)) / count : 0 };
  }
}

/** The samples between two times, both included. */
export function between({ timeMs, value }: Values, fromMs: number, toMs: number): Values {
  const isWithin = timeMs.map((ms) => ms >= fromMs && ms <= toMs);
  return { timeMs: timeMs.filter((_, i) => isWithin[i]), value: value.filter((_, i) => isWithin[i]) };
}

/** Index of the first of these times, oldest first, that is later. */
export function firstAfter(times: readonly number[], timeMs: number): number {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Infinity) > timeMs) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Ends of the windows of `lengthMs` within an interval, one a second; a shorter interval is one window itself. */
export function windowEnds(fromMs: number, toMs: number, lengthMs: number): number[] {
  if (toMs - fromMs <= lengthMs) return [toMs];
  const ends: number[] = [];
  for (let endMs = fromMs + lengthMs; endMs < toMs; endMs += 1000) ends.push(endMs);
  return [...ends, toMs];
}
