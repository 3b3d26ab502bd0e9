import type { SeriesRef, TraceSpec } from '../../domain/charts';
import { everyTester } from '../../domain/summed';
import type { Column } from './column';
import type { SampleStore } from './sampleStore';

/** A longer silence than this many steps between two samples is a gap. */
const gapSteps = 2.5;
/** The same for samples of every second. */
export const usualGapMs = gapSteps * 1000;

/** What a trace is made of over a stretch of time: samples from `start` up to but without `end`. NaN breaks the line. */
export interface Line {
  readonly timesMs: Float64Array;
  readonly values: Float32Array;
  readonly start: number;
  readonly end: number;
  readonly factor: number;
  /** A longer silence is a gap; absent: `usualGapMs`. */
  readonly gapMs?: number;
  /** Before this time samples are missing without anybody having been silent; where somebody was, a gap ends. */
  readonly sparseBeforeMs?: number;
  readonly gapEndsMs?: ReadonlySet<number>;
}

/** Samples of a column within a time, with one more on each side so that the line reaches the edges. */
function stretch(column: Column, fromMs: number, toMs: number, factor: number, stepMs: number): Line {
  const start = Math.max(0, column.indexAt(fromMs));
  const end = Math.min(column.length, column.indexAt(toMs) + 2);
  const { timesMs, values, sparseBeforeMs, gapEndsMs } = column;
  const gapMs = gapSteps * stepMs;
  return { timesMs, values, start, end, factor, gapMs, sparseBeforeMs, gapEndsMs };
}

function columnsOf(
  store: SampleStore,
  inputs: readonly SeriesRef[],
  fromMs: number,
  toMs: number,
): readonly Column[] {
  return inputs.flatMap(({ node, series }) => store.columnFor(node, series, fromMs, toMs) ?? []);
}

/** Until when any of the columns is sparse. */
function sparseUntil(columns: readonly Column[]): number {
  return Math.max(...columns.map((column) => column.sparseBeforeMs));
}

/** True once there is anything to draw or to list. */
export function isMeasured(store: SampleStore, trace: TraceSpec): boolean {
  return trace.inputs.some(({ node, series }) => store.column(node, series) !== undefined);
}

/**
 * Value of a column at a moment, its cursor moved on to it: on the way to the next sample when that one is no gap away,
 * else it holds for a step. Without the way a sum would lag its parts by up to a second. `silent`: unknown. `outside`: not begun yet, or ended at 0, which adds nothing to a sum.
 */
class ColumnReader {
  #at = -1;
  constructor(
    private readonly column: Column,
    private readonly stepMs: number,
  ) {}

  /** Moments must not go backwards. */
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

/** Combines columns on a grid of steps, in buffers that are used again. */
export class Combiner {
  #timesMs = new Float64Array(0);
  #values = new Float32Array(0);

  /** Samples of a trace over a time. Straight from the store where one series is enough. */
  line(store: SampleStore, trace: TraceSpec, fromMs: number, toMs: number): Line | undefined {
    const columns = columnsOf(store, trace.inputs, fromMs, toMs);
    const [column] = columns;
    if (!column) return undefined;
    const zeroes =
      trace.zeroWhere && store.columnFor(trace.zeroWhere.node, trace.zeroWhere.series, fromMs, toMs);
    if (zeroes && column.sparseBeforeMs <= toMs)
      return this.#withZeroes(column, zeroes, trace.factor, fromMs, toMs, store.stepMs);
    if (trace.combine === 'firstMeasured' || columns.length === 1)
      return stretch(column, fromMs, toMs, trace.factor, store.stepMs);
    const [input] = trace.inputs;
    const sums =
      trace.combine === 'sum' && input && sparseUntil(columns) > fromMs
        ? store.columnFor(everyTester, input.series, fromMs, toMs)
        : undefined;
    return this.#combined(columns, sums, trace.combine, trace.factor, fromMs, toMs, store.stepMs);
  }

  /** Takes over what a column has in its sparse part; answers how many points that are. */
  #takeSparse(column: Column, fromMs: number, untilMs: number): number {
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
    column: Column,
    zeroes: Column,
    factor: number,
    fromMs: number,
    toMs: number,
    gridMs: number,
  ): Line {
    const { sparseBeforeMs, gapEndsMs } = column;
    // Overviews have their zeroes already.
    let count = this.#takeSparse(column, fromMs, toMs);
    const base = stretch(zeroes, Math.max(fromMs, sparseBeforeMs), toMs, factor, gridMs);
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
    columns: readonly Column[],
    /** The sums of the sparse part, as the overview has them. */
    sums: Column | undefined,
    how: 'sum' | 'highest',
    factor: number,
    fromMs: number,
    toMs: number,
    gridMs: number,
  ): Line {
    const sparseBeforeMs = sparseUntil(columns);
    const taken = sums ? this.#takeSparse(sums, fromMs, toMs) : 0;
    const moments = momentsOf(columns, sums ? Math.max(fromMs, sparseBeforeMs) : fromMs, toMs, gridMs);
    this.#reserve(taken + moments.length);
    const readers = columns.map((column) => new ColumnReader(column, gridMs));
    for (let index = taken; index < taken + moments.length; index += 1) {
      const timeMs = moments[index - taken] ?? 0;
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
      ...{ timesMs: this.#timesMs, values: this.#values, start: 0, end: taken + moments.length },
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
 * Moments at which columns are put together: where they are sparse, each sample of any of them, so that none is lost; then the grid.
 */
function momentsOf(columns: readonly Column[], fromMs: number, toMs: number, gridMs: number): Float64Array {
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

/** Moments in step with the column that begins first, so that a single tester's samples are drawn where they are. */
function gridOf(
  columns: readonly Column[],
  fromMs: number,
  toMs: number,
  gridMs: number,
): { firstMs: number; count: number } {
  const first = Math.min(...columns.map((column) => column.timeAt(0)));
  const last = Math.max(...columns.map((column) => column.timeAt(column.length - 1)));
  const skipped = Math.max(0, Math.ceil((fromMs - gridMs - first) / gridMs));
  const firstMs = first + skipped * gridMs;
  // Half a step of grace: samples come a few ms early or late, and the last one must not be left out.
  const untilMs = Math.min(toMs + gridMs, last + gridMs / 2);
  return { firstMs, count: Math.max(0, Math.floor((untilMs - firstMs) / gridMs) + 1) };
}

/** One layer of a stack: its upper edge and the edge it stands on, both unknown at the same moments. */
export interface StackLayer {
  readonly top: Line;
  readonly base: Line;
}

/** Puts traces on top of each other on a grid of steps, in buffers that are used again. */
export class Stacker {
  #timesMs = new Float64Array(0);
  #sum = new Float32Array(0);
  #unknown = new Uint8Array(0);
  #tops: Float32Array[] = [];
  #bases: Float32Array[] = [];

  /** Layers of a stack, each trace on top of those before it; undefined for a trace without samples. */
  layers(
    store: SampleStore,
    traces: readonly TraceSpec[],
    fromMs: number,
    toMs: number,
  ): readonly (StackLayer | undefined)[] {
    const columns = traces.map((trace) => columnsOf(store, trace.inputs, fromMs, toMs)[0]);
    const present = columns.filter((column) => column !== undefined);
    if (present.length === 0) return traces.map(() => undefined);
    const { stepMs: gridMs } = store;
    const moments = momentsOf(present, fromMs, toMs, gridMs);
    const count = moments.length;
    const sparseBeforeMs = sparseUntil(present);
    this.#reserve(count, traces.length);
    this.#timesMs.set(moments);
    this.#sum.fill(0, 0, count);
    this.#unknown.fill(0, 0, count);
    return columns.map(
      (column, place) => column && this.#layer(column, place, count, gridMs, sparseBeforeMs),
    );
  }

  #layer(column: Column, place: number, count: number, gridMs: number, sparseBeforeMs: number): StackLayer {
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
