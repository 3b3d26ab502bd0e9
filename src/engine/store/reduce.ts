import type { BlockColumn } from './block';

/**
 * A reduced series: of each interval of equal length the lowest and the highest sample, at their own times and with
 * their own values. Nothing is invented, and no peak is lost.
 */
export interface ReducedColumn {
  readonly seriesId: number;
  readonly timeMs: number[];
  readonly value: number[];
  /** Indexes of points that follow a gap, ascending. */
  readonly breaks: number[];
  /** Times of the first and the last sample of its input; NaN without any. */
  firstMs: number;
  lastMs: number;
}

/** Keeps the lowest and the highest sample of each `stepMs` (aligned to the epoch) of ordered input; 0 keeps all. */
export class Reducer {
  readonly column: ReducedColumn;
  private bucket = NaN;
  private lowMs = 0;
  private low = NaN;
  private lowGaps = 0;
  private highMs = 0;
  private high = NaN;
  private highGaps = 0;
  /** Gaps so far, and those before a point that was kept. */
  private gaps = 0;
  private keptGaps = 0;

  constructor(
    seriesId: number,
    private readonly stepMs: number,
    private readonly gapMs: number,
  ) {
    this.column = { seriesId, timeMs: [], value: [], breaks: [], firstMs: NaN, lastMs: NaN };
  }

  /** Adds all samples of a column; gaps follow from its times. */
  addAll({ timeMs, value }: Pick<BlockColumn, 'timeMs' | 'value'>): void {
    for (let i = 0; i < timeMs.length; i += 1) {
      const at = timeMs[i] as number;
      if (at - this.column.lastMs > this.gapMs) this.gaps += 1;
      this.add(at, value[i] as number);
      this.column.lastMs = at;
    }
    if (Number.isNaN(this.column.firstMs) && timeMs.length > 0) this.column.firstMs = timeMs[0] as number;
  }

  /** Adds the result of a reduction to shorter steps. */
  addReduced({ timeMs, value, breaks, firstMs, lastMs }: ReducedColumn): void {
    if (timeMs.length === 0) return;
    if (firstMs - this.column.lastMs > this.gapMs) this.gaps += 1;
    if (Number.isNaN(this.column.firstMs)) this.column.firstMs = firstMs;
    this.column.lastMs = lastMs;
    let next = 0;
    for (let i = 0; i < timeMs.length; i += 1) {
      if (breaks[next] === i) {
        this.gaps += 1;
        next += 1;
      }
      this.add(timeMs[i] as number, value[i] as number);
    }
  }

  /** The result; nothing may be added afterwards. */
  finish(): ReducedColumn {
    this.flush();
    return this.column;
  }

  private add(timeMs: number, value: number): void {
    if (this.stepMs === 0) {
      this.keep(timeMs, value, this.gaps);
      return;
    }
    const bucket = Math.floor(timeMs / this.stepMs);
    if (bucket !== this.bucket) {
      this.flush();
      this.bucket = bucket;
      this.low = this.high = value;
      this.lowMs = this.highMs = timeMs;
      this.lowGaps = this.highGaps = this.gaps;
    } else if (value < this.low) {
      this.low = value;
      this.lowMs = timeMs;
      this.lowGaps = this.gaps;
    } else if (value > this.high) {
      this.high = value;
      this.highMs = timeMs;
      this.highGaps = this.gaps;
    }
  }

  private flush(): void {
    if (Number.isNaN(this.low)) return;
    if (this.lowMs <= this.highMs) this.keep(this.lowMs, this.low, this.lowGaps);
    if (this.lowMs !== this.highMs) this.keep(this.highMs, this.high, this.highGaps);
    if (this.lowMs > this.highMs) this.keep(this.lowMs, this.low, this.lowGaps);
    this.low = NaN;
  }

  private keep(timeMs: number, value: number, gaps: number): void {
    const { column } = this;
    if (gaps > this.keptGaps) column.breaks.push(column.timeMs.length);
    this.keptGaps = gaps;
    column.timeMs.push(timeMs);
    column.value.push(value);
  }
}

/** Joins consecutive columns with the same steps, the later one at the end of the earlier. */
export function joinReduced(into: ReducedColumn, later: ReducedColumn, gapMs: number): void {
  if (later.timeMs.length === 0) return;
  const { length } = into.timeMs;
  if (length > 0 && later.firstMs - into.lastMs > gapMs && later.breaks[0] !== 0) into.breaks.push(length);
  for (const place of later.breaks) into.breaks.push(length + place);
  for (const timeMs of later.timeMs) into.timeMs.push(timeMs);
  for (const value of later.value) into.value.push(value);
  if (Number.isNaN(into.firstMs)) into.firstMs = later.firstMs;
  into.lastMs = later.lastMs;
}
