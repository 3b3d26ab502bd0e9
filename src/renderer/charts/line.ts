import type { SeriesRef, TraceSpec } from '../../domain/charts';
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
}

/** Samples of a column within a time, with one more on each side so that the line reaches the edges. */
function stretch(column: Column, fromMs: number, toMs: number, factor: number, stepMs: number): Line {
  const start = Math.max(0, column.indexAt(fromMs));
  const end = Math.min(column.length, column.indexAt(toMs) + 2);
  const { timesMs, values } = column;
  return { timesMs, values, start, end, factor, gapMs: gapSteps * stepMs };
}

function columnsOf(store: SampleStore, inputs: readonly SeriesRef[]): readonly Column[] {
  return inputs.flatMap(({ node, series }) => store.column(node, series) ?? []);
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
    if (hasNext && span <= gapSteps * this.stepMs)
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
    const columns = columnsOf(store, trace.inputs);
    const [column] = columns;
    if (!column) return undefined;
    const zeroes = trace.zeroWhere && store.column(trace.zeroWhere.node, trace.zeroWhere.series);
    if (zeroes) return this.#withZeroes(column, zeroes, trace.factor, fromMs, toMs, store.stepMs);
    if (trace.combine === 'firstMeasured' || columns.length === 1)
      return stretch(column, fromMs, toMs, trace.factor, store.stepMs);
    return this.#combined(columns, trace.combine, trace.factor, fromMs, toMs, store.stepMs);
  }

  #withZeroes(
    column: Column,
    zeroes: Column,
    factor: number,
    fromMs: number,
    toMs: number,
    gridMs: number,
  ): Line {
    const base = stretch(zeroes, fromMs, toMs, factor, gridMs);
    this.#reserve(base.end - base.start);
    let count = 0;
    let at = column.indexAt((zeroes.timesMs[base.start] ?? 0) - gridMs / 2) + 1;
    for (let index = base.start; index < base.end; index += 1) {
      const timeMs = zeroes.timesMs[index] ?? 0;
      while (at < column.length && (column.timesMs[at] ?? 0) < timeMs - gridMs / 2) at += 1;
      const matches = at < column.length && (column.timesMs[at] ?? 0) <= timeMs + gridMs / 2;
      this.#timesMs[count] = timeMs;
      this.#values[count] = matches ? (column.values[at] ?? 0) : 0;
      count += 1;
    }
    return {
      ...{ timesMs: this.#timesMs, values: this.#values, start: 0, end: count },
      ...{ factor, gapMs: gapSteps * gridMs },
    };
  }

  #combined(
    columns: readonly Column[],
    how: 'sum' | 'highest',
    factor: number,
    fromMs: number,
    toMs: number,
    gridMs: number,
  ): Line {
    const grid = gridOf(columns, fromMs, toMs, gridMs);
    this.#reserve(grid.count);
    const readers = columns.map((column) => new ColumnReader(column, gridMs));
    for (let index = 0; index < grid.count; index += 1) {
      const timeMs = grid.firstMs + index * gridMs;
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
      ...{ timesMs: this.#timesMs, values: this.#values, start: 0, end: grid.count },
      ...{ factor, gapMs: gapSteps * gridMs },
    };
  }

  #reserve(count: number): void {
    if (this.#timesMs.length >= count) return;
    this.#timesMs = new Float64Array(count + 512);
    this.#values = new Float32Array(count + 512);
  }
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
    const columns = traces.map((trace) => columnsOf(store, trace.inputs)[0]);
    const present = columns.filter((column) => column !== undefined);
    if (present.length === 0) return traces.map(() => undefined);
    const { stepMs: gridMs } = store;
    const { firstMs, count } = gridOf(present, fromMs, toMs, gridMs);
    this.#reserve(count, traces.length);
    for (let index = 0; index < count; index += 1) this.#timesMs[index] = firstMs + index * gridMs;
    this.#sum.fill(0, 0, count);
    this.#unknown.fill(0, 0, count);
    return columns.map((column, place) => column && this.#layer(column, place, count, gridMs));
  }

  #layer(column: Column, place: number, count: number, gridMs: number): StackLayer {
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
    const of = { timesMs: this.#timesMs, start: 0, end: count, factor: 1, gapMs: gapSteps * gridMs };
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
