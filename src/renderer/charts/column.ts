import { SampleColumn } from '../../domain/charts/drawing/samples';
import { usualStepMs } from '../../domain/series/gap';

/** The data of a series in an overview. */
export interface SparsePoints {
  readonly timesMs: Float64Array;
  readonly values: Float32Array;
  readonly coarseMs: number;
  readonly gapEndsMs: ReadonlySet<number>;
}

/** A column that grows with the samples of a run. */
export class Column extends SampleColumn {
  /** Over all samples, including dropped ones. */
  highest = -Infinity;
  /** Samples beyond the column's capacity are dropped; the run file keeps them. */
  droppedBeforeMs: number | undefined;
  #late: { timeMs: number; value: number }[] = [];

  /** `stepMs`: usual interval between two samples. */
  constructor(
    private readonly capacity: number,
    readonly stepMs = usualStepMs,
  ) {
    super(new Float64Array(256), new Float32Array(256), 0);
  }

  /** Adds a sample. Out of order, it waits for `settle`; a duplicate time is ignored. */
  add(timeMs: number, value: number): void {
    const last = this.length > 0 ? (this.timesMs[this.length - 1] ?? 0) : -Infinity;
    if (timeMs > last) this.#push(timeMs, value);
    else if (timeMs < last) this.#late.push({ timeMs, value });
  }

  /** Merges out-of-order samples in one pass per batch. */
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

  /** Replaces everything before `untilMs` by an overview. */
  replaceBefore(untilMs: number, points: SparsePoints): void {
    const { timesMs, values, length } = this;
    const start = this.indexAt(untilMs - 1) + 1;
    const kept = length - start;
    const count = points.timesMs.length;
    // A growing column needs spare capacity; a sparse column of a finished run does not.
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
