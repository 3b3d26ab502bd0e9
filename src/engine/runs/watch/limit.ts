export interface LimitWatchOptions {
  readonly limit: number;
  /** `<=`: good up to the limit. */
  readonly comparison: '<=' | '>=';
  /** Beyond the limit for this long before it counts. */
  readonly overForMs: number;
  /** Good again for this long before it is called back. */
  readonly backForMs: number;
}

/** Tells when a figure crosses its limit for good, in either direction; short excursions are no news. */
export class LimitWatch {
  over = false;
  private since: number | undefined;

  constructor(private readonly options: LimitWatchOptions) {}

  /** A moment without a figure says nothing, and neither ends nor starts anything. */
  update(timeMs: number, value: number | undefined): 'over' | 'back' | undefined {
    if (value === undefined) return undefined;
    const { limit, comparison, overForMs, backForMs } = this.options;
    const beyond = comparison === '<=' ? value > limit : value < limit;
    if (beyond === this.over) {
      this.since = undefined;
      return undefined;
    }
    this.since ??= timeMs;
    if (timeMs - this.since < (beyond ? overForMs : backForMs)) return undefined;
    this.over = beyond;
    this.since = undefined;
    return beyond ? 'over' : 'back';
  }
}
