export interface LimitWatchOptions {
  readonly limit: number;
  /** `<=`: good up to the limit. */
  readonly comparison: '<=' | '>=';
  /** Beyond the limit for this long before it counts. */
  readonly overForMs: number;
  /** Back within the limit for this long before that is reported. */
  readonly backForMs: number;
}

/** Reports when a figure crosses its limit permanently, in either direction; short excursions are ignored. */
export class LimitWatch {
  over = false;
  private since: number | undefined;

  constructor(private readonly options: LimitWatchOptions) {}

  /** A time without a value is ignored, and neither ends nor starts anything. */
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
