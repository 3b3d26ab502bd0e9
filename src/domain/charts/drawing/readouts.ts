import type { SeriesRef, TraceSpec } from '../chartSpec';
import { allTestersId } from '../../series/aggregate';
import { Combiner } from './line';
import type { SampleColumn, SampleSource } from './samples';

/** Time of the figures: the newest, the crosshair's (Unix ms), or the extreme of the run. */
export type ReadoutMode =
  | { readonly kind: 'now'; readonly timeMs: number }
  | { readonly kind: 'cursor'; readonly timeMs: number }
  | { readonly kind: 'extreme' };

type TimeMode = Exclude<ReadoutMode, { kind: 'extreme' }>;

/** Max age of a current sample: a second of sampling, a second of batching, and a margin. */
const freshMs = 3500;
/** Samples arrive once per step, but not aligned to it. */
const nearSteps = 1.25;
/** Max time between two series of one sampling. */
const togetherMs = 500;

function indexOf(column: SampleColumn, mode: TimeMode, stepMs: number): number {
  // From an overview the closest sample: the min or max around this time.
  const isSparse = mode.timeMs < column.sparseBeforeMs;
  if (mode.kind === 'cursor')
    return column.nearest(mode.timeMs, nearSteps * Math.max(stepMs, isSparse ? column.coarseMs : 0));
  const last = column.length - 1;
  return mode.timeMs - column.timeAt(last) <= freshMs ? last : -1;
}

/** Silent: started by then and not ended at 0. */
function isSilent(column: SampleColumn, timeMs: number): boolean {
  const index = column.indexAt(timeMs);
  return index >= 0 && !(index === column.length - 1 && column.valueAt(index) === 0);
}

function columnOf(store: SampleSource, ref: SeriesRef | undefined, timeMs: number): SampleColumn | undefined {
  const aroundMs = nearSteps * store.stepMs;
  return ref && store.columnFor(ref.node, ref.series, timeMs - aroundMs, timeMs + aroundMs);
}

function valueAtTime(store: SampleSource, trace: TraceSpec, mode: TimeMode): number | undefined {
  const columns = trace.inputs.flatMap((ref) => columnOf(store, ref, mode.timeMs) ?? []);
  const [column] = columns;
  if (!column) return undefined;
  const isSparse = mode.timeMs < column.sparseBeforeMs;
  const [input] = trace.inputs;
  const sums =
    isSparse && trace.combine === 'sum' && input
      ? columnOf(store, { node: allTestersId, series: input.series }, mode.timeMs)
      : undefined;
  if (sums) {
    const at = indexOf(sums, mode, store.stepMs);
    return at < 0 ? undefined : sums.valueAt(at);
  }
  const answers = columnOf(store, trace.zeroWhere, mode.timeMs);
  if (answers && !isSparse) {
    const at = indexOf(answers, mode, store.stepMs);
    const found = at < 0 ? -1 : column.nearest(answers.timeAt(at), togetherMs);
    return at < 0 ? undefined : found < 0 ? 0 : column.valueAt(found);
  }
  if (trace.combine === 'firstMeasured' || answers) {
    const at = indexOf(column, mode, store.stepMs);
    return at < 0 ? undefined : column.valueAt(at);
  }
  let value: number | undefined;
  for (const column of columns) {
    const at = indexOf(column, mode, store.stepMs);
    if (at < 0 && trace.combine === 'sum' && isSilent(column, mode.timeMs)) return undefined;
    if (at < 0) continue;
    const read = column.valueAt(at);
    if (value === undefined) value = read;
    else value = trace.combine === 'sum' ? value + read : Math.max(value, read);
  }
  return value;
}

/** Computes the figures of a card. Caches buffers and the last extremes, so a run of hours is not searched twice. */
export class ReadoutReader {
  readonly #combiner = new Combiner();
  /** Values of the last requested time: header, crosshair and tooltip request the same. */
  #moment = '';
  readonly #values = new Map<TraceSpec, number | undefined>();
  readonly #extremes = new WeakMap<TraceSpec, { version: number; value: number | undefined }>();

  /** The value of a trace in the displayed unit; undefined if missing. */
  value(store: SampleSource, trace: TraceSpec, mode: ReadoutMode): number | undefined {
    if (mode.kind === 'extreme') return this.#extreme(store, trace);
    const moment = `${mode.kind} ${mode.timeMs} ${store.version}`;
    if (moment !== this.#moment) this.#values.clear();
    this.#moment = moment;
    if (this.#values.has(trace)) return this.#values.get(trace);
    const read = valueAtTime(store, trace, mode);
    const value = read === undefined ? undefined : read * trace.factor;
    this.#values.set(trace, value);
    return value;
  }

  #extreme(store: SampleSource, trace: TraceSpec): number | undefined {
    const known = this.#extremes.get(trace);
    if (known && known.version === store.version) return known.value;
    const line = this.#combiner.line(store, trace, store.firstTimeMs ?? 0, store.lastTimeMs ?? 0);
    let value: number | undefined;
    for (let index = line?.start ?? 0; line && index < line.end; index += 1) {
      const read = line.values[index] ?? NaN;
      if (Number.isNaN(read)) continue;
      if (value === undefined || (trace.extreme === 'highest' ? read > value : read < value)) value = read;
    }
    if (value !== undefined) value *= trace.factor;
    this.#extremes.set(trace, { version: store.version, value });
    return value;
  }
}
