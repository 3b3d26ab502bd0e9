import type { SeriesRef, TraceSpec } from '../chartSpec';
import { allTestersId } from '../../series/aggregate';
import { gapSteps } from '../../series/gap';
import type { SampleColumn, SampleSource } from './samples';

/** Data of a trace over a range: samples from `start` to before `end`. NaN breaks the line. */
export interface Line {
  readonly timesMs: Float64Array;
  readonly values: Float32Array;
  readonly start: number;
  readonly end: number;
  readonly factor: number;
  /** Min length of a gap; absent: that of samples of every second. */
  readonly gapMs?: number;
  /** Before this time missing samples are no gap, except before the listed ones. */
  readonly sparseBeforeMs?: number;
  readonly gapEndsMs?: ReadonlySet<number>;
}

/** Samples of a column within a time, with one more on each side so that the line reaches the edges. */
function lineBetween(column: SampleColumn, fromMs: number, toMs: number, factor: number, stepMs: number): Line {
  const start = Math.max(0, column.indexAt(fromMs));
  const end = Math.min(column.length, column.indexAt(toMs) + 2);
  const { timesMs, values, sparseBeforeMs, gapEndsMs } = column;
  const gapMs = gapSteps * stepMs;
  return { timesMs, values, start, end, factor, gapMs, sparseBeforeMs, gapEndsMs };
}

function columnsOf(
  store: SampleSource,
  inputs: readonly SeriesRef[],
  fromMs: number,
  toMs: number,
): readonly SampleColumn[] {
  return inputs.flatMap(({ node, series }) => store.columnFor(node, series, fromMs, toMs) ?? []);
}

/** Until when any column is sparse. */
function sparseUntil(columns: readonly SampleColumn[]): number {
  return Math.max(...columns.map((column) => column.sparseBeforeMs));
}

/** True once there is data. */
export function isMeasured(store: SampleSource, trace: TraceSpec): boolean {
  return trace.inputs.some(({ node, series }) => store.column(node, series) !== undefined);
}

/**
 * Value of a column at a time, advancing its cursor: interpolated to the next sample unless a gap follows, else held
 * for one step. Without interpolation a sum would lag its parts by up to a second. `silent`: unknown. `outside`: not
 * started yet, or ended at 0, which adds nothing to a sum.
 */
class ColumnReader {
  #at = -1;
  constructor(
    private readonly column: SampleColumn,
    private readonly stepMs: number,
  ) {}

  /** Times must not decrease. */
  read(timeMs: number): number | 'silent' | 'outside' {
    const { column } = this;
    if (this.#at < 0) this.#at = column.indexAt(timeMs);
    while (this.#at + 1 < column.length && (column.timesMs[this.#at + 1] ?? 0) <= timeMs) this.#at += 1;
    if (this.#at < 0) return 'outside';
    const time = column.timesMs[this.#at] ?? 0;
    const value = column.values[this.#at] ?? 0;
    const hasNext = this.#at + 1 < column.length;
    const span = (column.timesMs[this.#at + 1] ?? 0) - time;
    if (hasNext && !column.isSilentBefore(this.#at + 1, gapSteps * this.stepMs))
      return value + (((column.values[this.#at + 1] ?? 0) - value) * (timeMs - time)) / span;
    if (timeMs - time < this.stepMs) return value;
    return !hasNext && value === 0 ? 'outside' : 'silent';
  }
}

/** Combines columns on a grid of steps, in reused buffers. */
export class Combiner {
  #timesMs = new Float64Array(0);
  #values = new Float32Array(0);

  /** Samples of a trace over a range. Directly from the store if it has one series. */
  line(store: SampleSource, trace: TraceSpec, fromMs: number, toMs: number): Line | undefined {
    const columns = columnsOf(store, trace.inputs, fromMs, toMs);
    const [column] = columns;
    if (!column) return undefined;
    const zeroes = trace.zeroWhere && store.columnFor(trace.zeroWhere.node, trace.zeroWhere.series, fromMs, toMs);
    if (zeroes && column.sparseBeforeMs <= toMs)
      return this.#withZeroes(column, zeroes, trace.factor, fromMs, toMs, store.stepMs);
    if (trace.combine === 'firstMeasured' || columns.length === 1)
      return lineBetween(column, fromMs, toMs, trace.factor, store.stepMs);
    const [input] = trace.inputs;
    const sums =
      trace.combine === 'sum' && input && sparseUntil(columns) > fromMs
        ? store.columnFor(allTestersId, input.series, fromMs, toMs)
        : undefined;
    return this.#combined(columns, sums, trace.combine, trace.factor, fromMs, toMs, store.stepMs);
  }

  /** Copies the sparse part of a column; returns the number of points. */
  #takeSparse(column: SampleColumn, fromMs: number, untilMs: number): number {
    const start = Math.max(0, column.indexAt(fromMs));
    const end = Math.min(column.length, column.indexAt(untilMs) + 2);
    let count = 0;
    this.#reserve(end - start);
    for (let index = start; index < end; index += 1) {
      const timeMs = column.timesMs[index] ?? 0;
      if (timeMs >= column.sparseBeforeMs) break;
      this.#timesMs[count] = timeMs;
      this.#values[count] = column.values[index] ?? 0;
      count += 1;
    }
    return count;
  }

  #withZeroes(
    column: SampleColumn,
    zeroes: SampleColumn,
    factor: number,
    fromMs: number,
    toMs: number,
    gridMs: number,
  ): Line {
    const { sparseBeforeMs, gapEndsMs } = column;
    // Overviews already contain zeros.
    let count = this.#takeSparse(column, fromMs, toMs);
    const base = lineBetween(zeroes, Math.max(fromMs, sparseBeforeMs), toMs, factor, gridMs);
    this.#reserve(count + base.end - base.start);
    let at = column.indexAt((zeroes.timesMs[base.start] ?? 0) - gridMs / 2) + 1;
    for (let index = base.start; index < base.end; index += 1) {
      const timeMs = zeroes.timesMs[index] ?? 0;
      if (timeMs < sparseBeforeMs) continue;
      while (at < column.length && (column.timesMs[at] ?? 0) < timeMs - gridMs / 2) at += 1;
      const matches = at < column.length && (column.timesMs[at] ?? 0) <= timeMs + gridMs / 2;
      this.#timesMs[count] = timeMs;
      this.#values[count] = matches ? (column.values[at] ?? 0) : 0;
      count += 1;
    }
    return {
      ...{ timesMs: this.#timesMs, values: this.#values, start: 0, end: count },
      ...{ factor, gapMs: gapSteps * gridMs, sparseBeforeMs, gapEndsMs },
    };
  }

  #combined(
    columns: readonly SampleColumn[],
    /** Sums of the sparse part, from the overview. */
    sums: SampleColumn | undefined,
    how: 'sum' | 'highest',
    factor: number,
    fromMs: number,
    toMs: number,
    gridMs: number,
  ): Line {
    const sparseBeforeMs = sparseUntil(columns);
    const taken = sums ? this.#takeSparse(sums, fromMs, toMs) : 0;
    const times = timesOf(columns, sums ? Math.max(fromMs, sparseBeforeMs) : fromMs, toMs, gridMs);
    this.#reserve(taken + times.length);
    const readers = columns.map((column) => new ColumnReader(column, gridMs));
    for (let index = taken; index < taken + times.length; index += 1) {
      const timeMs = times[index - taken] ?? 0;
      let value = NaN;
      let unknown = false;
      for (const reader of readers) {
        const read = reader.read(timeMs);
        if (read === 'silent') unknown = true;
        else if (read !== 'outside')
          value = Number.isNaN(value) ? read : how === 'sum' ? value + read : Math.max(value, read);
      }
      this.#timesMs[index] = timeMs;
      this.#values[index] = unknown && how === 'sum' ? NaN : value;
    }
    return {
      ...{ timesMs: this.#timesMs, values: this.#values, start: 0, end: taken + times.length },
      ...{ factor, gapMs: gapSteps * gridMs, sparseBeforeMs, gapEndsMs: sums?.gapEndsMs },
    };
  }

  #reserve(count: number): void {
    if (this.#timesMs.length >= count) return;
    const timesMs = new Float64Array(count + 512);
    const values = new Float32Array(count + 512);
    timesMs.set(this.#timesMs);
    values.set(this.#values);
    this.#timesMs = timesMs;
    this.#values = values;
  }
}

/**
 * Times at which columns are combined: in the sparse part every sample of any of them, so none is lost; then the grid.
 */
function timesOf(columns: readonly SampleColumn[], fromMs: number, toMs: number, gridMs: number): Float64Array {
  const untilMs = sparseUntil(columns);
  const sparse: number[] = [];
  if (untilMs > fromMs)
    for (const column of columns) {
      const end = Math.min(column.length, column.indexAt(Math.min(toMs, untilMs)) + 2);
      for (let index = Math.max(0, column.indexAt(fromMs)); index < end; index += 1) {
        const timeMs = column.timesMs[index] ?? 0;
        if (timeMs < untilMs) sparse.push(timeMs);
      }
    }
  const before = Float64Array.from(new Set(sparse)).sort();
  if (untilMs > toMs) return before;
  const { firstMs, count } = gridOf(columns, Math.max(fromMs, untilMs + gridMs), toMs, gridMs);
  const all = new Float64Array(before.length + count);
  all.set(before);
  for (let index = 0; index < count; index += 1) all[before.length + index] = firstMs + index * gridMs;
  return all;
}

/** Times aligned with the column that starts first, so a single tester's samples keep their times. */
function gridOf(
  columns: readonly SampleColumn[],
  fromMs: number,
  toMs: number,
  gridMs: number,
): { firstMs: number; count: number } {
  const first = Math.min(...columns.map((column) => column.timeAt(0)));
  const last = Math.max(...columns.map((column) => column.timeAt(column.length - 1)));
  const skipped = Math.max(0, Math.ceil((fromMs - gridMs - first) / gridMs));
  const firstMs = first + skipped * gridMs;
  // Half a step of tolerance: samples arrive a few ms early or late, and the last one must not be lost.
  const untilMs = Math.min(toMs + gridMs, last + gridMs / 2);
  return { firstMs, count: Math.max(0, Math.floor((untilMs - firstMs) / gridMs) + 1) };
}

/** One layer of a stack: upper and lower edge, both unknown at the same times. */
export interface StackLayer {
  readonly top: Line;
  readonly base: Line;
}

/** Stacks traces on a grid of steps, in reused buffers. */
export class Stacker {
  #timesMs = new Float64Array(0);
  #sum = new Float32Array(0);
  #unknown = new Uint8Array(0);
  #tops: Float32Array[] = [];
  #bases: Float32Array[] = [];

  /** Layers of a stack, each trace on top of those before it; undefined for a trace without samples. */
  layers(
    store: SampleSource,
    traces: readonly TraceSpec[],
    fromMs: number,
    toMs: number,
  ): readonly (StackLayer | undefined)[] {
    const columns = traces.map((trace) => columnsOf(store, trace.inputs, fromMs, toMs)[0]);
    const present = columns.filter((column) => column !== undefined);
    if (present.length === 0) return traces.map(() => undefined);
    const { stepMs: gridMs } = store;
    const times = timesOf(present, fromMs, toMs, gridMs);
    const count = times.length;
    const sparseBeforeMs = sparseUntil(present);
    this.#reserve(count, traces.length);
    this.#timesMs.set(times);
    this.#sum.fill(0, 0, count);
    this.#unknown.fill(0, 0, count);
    return columns.map((column, place) => column && this.#layer(column, place, count, gridMs, sparseBeforeMs));
  }

  #layer(column: SampleColumn, place: number, count: number, gridMs: number, sparseBeforeMs: number): StackLayer {
    const top = this.#tops[place] ?? new Float32Array(count);
    const base = this.#bases[place] ?? new Float32Array(count);
    const sums = this.#sum;
    const reader = new ColumnReader(column, gridMs);
    for (let index = 0; index < count; index += 1) {
      const read = reader.read(this.#timesMs[index] ?? 0);
      if (read === 'silent') this.#unknown[index] = 1;
      const sum = sums[index] ?? 0;
      const isKnown = typeof read === 'number' && this.#unknown[index] === 0;
      base[index] = isKnown ? sum : NaN;
      top[index] = isKnown ? sum + read : NaN;
      if (typeof read === 'number') sums[index] = sum + read;
    }
    const gapMs = gapSteps * gridMs;
    const of = { timesMs: this.#timesMs, start: 0, end: count, factor: 1, gapMs, sparseBeforeMs };
    return { top: { ...of, values: top }, base: { ...of, values: base } };
  }

  #reserve(count: number, traces: number): void {
    if (this.#timesMs.length >= count && this.#tops.length >= traces) return;
    const size = count + 512;
    this.#timesMs = new Float64Array(size);
    this.#sum = new Float32Array(size);
    this.#unknown = new Uint8Array(size);
    this.#tops = Array.from({ length: traces }, () => new Float32Array(size));
    this.#bases = Array.from({ length: traces }, () => new Float32Array(size));
  }
}
