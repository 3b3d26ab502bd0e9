/** What an overview has of a series. */
export interface SparsePoints {
  readonly timesMs: Float64Array;
  readonly values: Float32Array;
  readonly coarseMs: number;
  readonly gapEndsMs: ReadonlySet<number>;
}

/** Samples of one series of one node, sorted by time, in typed arrays that grow. 12 bytes per sample. */
export class Column {
  timesMs = new Float64Array(256);
  /** Single precision: seven digits, more than any figure on the screen shows. */
  values = new Float32Array(256);
  length = 0;
  /** Of all samples that were here, those that were let go included. */
  highest = -Infinity;
  /** Samples older than the column's capacity are let go; the run file keeps them. */
  droppedBeforeMs: number | undefined;
  /**
   * Before this time only the lowest and the highest sample of each step are here, as an overview has them; from then on every one.
   */
  sparseBeforeMs = -Infinity;
  /** Length of those steps. */
  coarseMs = 0;
  /** Where the sparse part is silent: times of the samples that end a gap. */
  gapEndsMs: ReadonlySet<number> = new Set();
  #late: { timeMs: number; value: number }[] = [];

  /** `stepMs`: what usually lies between two samples. */
  constructor(
    private readonly capacity: number,
    readonly stepMs = 1000,
  ) {}

  /** Takes a sample. One that comes out of order waits for `settle`; one with a time already known is ignored. */
  add(timeMs: number, value: number): void {
    const last = this.length > 0 ? (this.timesMs[this.length - 1] ?? 0) : -Infinity;
    if (timeMs > last) this.#push(timeMs, value);
    else if (timeMs < last) this.#late.push({ timeMs, value });
  }

  /** Merges the samples that came out of order: one pass per batch, however many there are. */
  settle(): void {
    if (this.#late.length === 0) return;
    const late = this.#late.sort((a, b) => a.timeMs - b.timeMs);
    this.#late = [];
    const { timesMs, values, length } = this;
    const merged = new Column(this.capacity);
    let at = 0;
    for (const sample of late) {
      while (at < length && (timesMs[at] ?? 0) <= sample.timeMs) {
        merged.add(timesMs[at] ?? 0, values[at] ?? 0);
        at += 1;
      }
      merged.add(sample.timeMs, sample.value);
    }
    for (; at < length; at += 1) merged.add(timesMs[at] ?? 0, values[at] ?? 0);
    this.timesMs = merged.timesMs;
    this.values = merged.values;
    this.length = merged.length;
    this.#rise(merged.highest);
    this.droppedBeforeMs = merged.droppedBeforeMs ?? this.droppedBeforeMs;
  }

  /** Puts what an overview says in the place of everything before `untilMs`. */
  replaceBefore(untilMs: number, points: SparsePoints): void {
    const { timesMs, values, length } = this;
    const start = this.indexAt(untilMs - 1) + 1;
    const kept = length - start;
    const count = points.timesMs.length;
    // What grows from here on needs some room; a sparse column of a run that has ended does not.
    const size = kept === 0 ? count : Math.ceil((count + kept) * 1.25);
    this.timesMs = new Float64Array(size);
    this.values = new Float32Array(size);
    this.timesMs.set(points.timesMs);
    this.values.set(points.values);
    this.timesMs.set(timesMs.subarray(start, length), count);
    this.values.set(values.subarray(start, length), count);
    this.length = count + kept;
    for (const value of points.values) this.#rise(value);
    this.sparseBeforeMs = untilMs;
    this.coarseMs = points.coarseMs;
    this.gapEndsMs = points.gapEndsMs;
  }

  /** Whether the sample before this one ends a line: it was silent in between. `gapMs`: how long that is where every sample is here. */
  isSilentBefore(index: number, gapMs: number): boolean {
    const timeMs = this.timesMs[index] ?? NaN;
    const beforeMs = this.timesMs[index - 1] ?? NaN;
    if (!(timeMs - beforeMs > gapMs)) return false;
    return beforeMs >= this.sparseBeforeMs || this.gapEndsMs.has(timeMs);
  }

  /** Index of the last sample at or before this time; -1 when there is none. */
  indexAt(timeMs: number): number {
    let low = 0;
    let high = this.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.timesMs[middle] ?? 0) <= timeMs) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  timeAt(index: number): number {
    return index >= 0 && index < this.length ? (this.timesMs[index] ?? NaN) : NaN;
  }

  valueAt(index: number): number {
    return index >= 0 && index < this.length ? (this.values[index] ?? NaN) : NaN;
  }

  /** Index of the sample nearest to this time; -1 when none is as near as `withinMs`. */
  nearest(timeMs: number, withinMs: number): number {
    const before = this.indexAt(timeMs);
    const beforeBy = before >= 0 ? timeMs - this.timeAt(before) : Infinity;
    const afterBy = before + 1 < this.length ? this.timeAt(before + 1) - timeMs : Infinity;
    if (Math.min(beforeBy, afterBy) > withinMs) return -1;
    return beforeBy <= afterBy ? before : before + 1;
  }

  #push(timeMs: number, value: number): void {
    if (this.length >= this.capacity) this.#dropOldest();
    if (this.length === this.timesMs.length) this.#grow();
    this.timesMs[this.length] = timeMs;
    this.values[this.length] = value;
    this.length += 1;
    this.#rise(value);
  }

  #rise(value: number): void {
    if (value > this.highest) this.highest = value;
  }

  #dropOldest(): void {
    const dropped = Math.max(1, this.capacity >>> 3);
    this.timesMs.copyWithin(0, dropped, this.length);
    this.values.copyWithin(0, dropped, this.length);
    this.length -= dropped;
    this.droppedBeforeMs = this.timesMs[0];
  }

  #grow(): void {
    const size = Math.min(this.capacity, Math.ceil(this.timesMs.length * 1.5) + 256);
    const timesMs = new Float64Array(size);
    const values = new Float32Array(size);
    timesMs.set(this.timesMs);
    values.set(this.values);
    this.timesMs = timesMs;
    this.values = values;
  }
}
