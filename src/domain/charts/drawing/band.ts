/** Many lines as their mean, the band from the lowest to the highest, and the worst of them. */
import type { ChartSpec, TraceSpec } from '../chartSpec';
import { Points } from './decimate';
import { isMeasured } from './line';
import type { ReadoutMode } from './readouts';
import type { SampleSource } from './samples';

/** Key of the figure of the worst line. */
export const worstKey = 'band worst';

/** Up to this many lines are told apart by their colours and dashes. */
export const fewLines = 8;

interface BandLine {
  readonly spec: TraceSpec;
  readonly points: Points;
}

/** Whether a line can be part of a band: one of a node, with the others on the same ground. */
export const isBandLine = ({ owner, look }: Pick<TraceSpec, 'owner' | 'look'>): boolean =>
  owner.kind === 'node' && (look === 'line' || look === 'noisy');

/** Whether a panel has more lines with data than can be told apart. */
export const hasManyLines = ({ panels }: Pick<ChartSpec, 'panels'>, source: SampleSource): boolean =>
  panels.some(
    ({ traces }) => traces.filter((trace) => isBandLine(trace) && isMeasured(source, trace)).length > fewLines,
  );

/** Reduces the points of many lines to three, in reused buffers. */
export class BandReader {
  readonly low = new Points();
  readonly high = new Points();
  readonly mean = new Points();
  #count = new Uint16Array(0);
  #sum = new Float64Array(0);
  #low = new Float32Array(0);
  #high = new Float32Array(0);

  /**
   * Reads lines into columns of `stepMs`, and returns the worst of them: that with the highest mean over the range, or
   * the lowest where low is bad. `stepMs` is not below the interval of the samples, nor below the columns that the
   * points were reduced to. Means are of samples; where an overview has only the minimum and maximum of each step, of
   * these.
   */
  read<L extends BandLine>(lines: readonly L[], fromMs: number, toMs: number, stepMs: number): L | undefined {
    const first = Math.floor(fromMs / stepMs);
    const columns = Math.max(0, Math.floor(toMs / stepMs) - first + 1);
    this.#reserve(columns);
    let worst: L | undefined;
    let worstMean = NaN;
    for (const line of lines) {
      const mean = this.#add(line.points, first, columns, stepMs);
      const isWorse = line.spec.extreme === 'lowest' ? mean < worstMean : mean > worstMean;
      if (!Number.isNaN(mean) && (worst === undefined || isWorse)) [worst, worstMean] = [line, mean];
    }
    this.#emit(first, columns, stepMs);
    return worst;
  }

  /** Adds a line to each column that it passes; returns its mean. */
  #add(points: Points, first: number, columns: number, stepMs: number): number {
    const { timesMs, values, sums, counts, length } = points;
    let total = 0;
    let passed = 0;
    let column = NaN;
    let low = NaN;
    let high = NaN;
    let sum = 0;
    let count = 0;
    const put = (at: number, from: number, to: number, mean: number): void => {
      if (at < 0 || at >= columns) return;
      const isFirst = this.#count[at] === 0;
      this.#count[at] = (this.#count[at] ?? 0) + 1;
      this.#sum[at] = (this.#sum[at] ?? 0) + mean;
      if (isFirst || from < (this.#low[at] ?? 0)) this.#low[at] = from;
      if (isFirst || to > (this.#high[at] ?? 0)) this.#high[at] = to;
      total += mean;
      passed += 1;
    };
    let last = NaN;
    for (let index = 0; index < length; index += 1) {
      const value = values[index] as number;
      if (value !== value) {
        if (column === column) put(column, low, high, sum / count);
        column = NaN;
        continue;
      }
      const at = Math.floor((timesMs[index] as number) / stepMs) - first;
      if (at === column) {
        if (value < low) low = value;
        if (value > high) high = value;
        sum += sums[index] as number;
        count += counts[index] as number;
      } else {
        if (column === column) {
          put(column, low, high, sum / count);
          // Between two samples of a line without a gap.
          const rise = (value - last) / (at - column);
          for (let between = column + 1; between < at; between += 1) {
            const level = last + rise * (between - column);
            put(between, level, level, level);
          }
        }
        column = at;
        low = high = value;
        sum = sums[index] as number;
        count = counts[index] as number;
      }
      last = value;
    }
    if (column === column) put(column, low, high, sum / count);
    return passed === 0 ? NaN : total / passed;
  }

  #emit(first: number, columns: number, stepMs: number): void {
    for (const points of [this.low, this.high, this.mean]) points.clear();
    let isBroken = true;
    for (let column = 0; column < columns; column += 1) {
      const count = this.#count[column] ?? 0;
      const timeMs = (first + column + 0.5) * stepMs;
      if (count === 0) {
        if (!isBroken) for (const points of [this.low, this.high, this.mean]) points.push(timeMs, NaN);
        isBroken = true;
        continue;
      }
      isBroken = false;
      this.low.push(timeMs, this.#low[column] ?? NaN);
      this.high.push(timeMs, this.#high[column] ?? NaN);
      this.mean.push(timeMs, (this.#sum[column] ?? NaN) / count);
    }
  }

  #reserve(columns: number): void {
    if (this.#count.length < columns) {
      this.#count = new Uint16Array(columns + 256);
      this.#sum = new Float64Array(columns + 256);
      this.#low = new Float32Array(columns + 256);
      this.#high = new Float32Array(columns + 256);
    }
    this.#count.fill(0, 0, columns);
    this.#sum.fill(0, 0, columns);
  }
}

/** A trace with its value at one time. */
export interface TraceValue {
  readonly trace: TraceSpec;
  readonly value: number | undefined;
}

const neutral = (key: string, label: string, like: TraceSpec): TraceSpec => ({
  ...like,
  ...{ key, label, owner: { kind: 'neutral' }, look: 'line', inputs: [], showLabel: true },
});

/**
 * The figures of a banded panel: the worst line by name, the mean, the lowest and the highest value at one time, then
 * what is no line of a node. Of extremes only the worst: those of several lines are of different times. Few lines stay
 * as they are.
 */
export function bandFigures<T extends TraceValue>(
  all: readonly T[],
  { kind }: Pick<ReadoutMode, 'kind'>,
): readonly T[] {
  const lines = all.filter(({ trace, value }) => isBandLine(trace) && value !== undefined);
  const [first] = lines;
  if (!first || lines.length <= fewLines) return all;
  const values = lines.map(({ value }) => value ?? NaN);
  const lowest = Math.min(...values);
  const highest = Math.max(...values);
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const worstValue = first.trace.extreme === 'lowest' ? lowest : highest;
  const worst = lines.find(({ value }) => value === worstValue) ?? first;
  const figure = (key: string, label: string, value: number): T => ({
    ...first,
    trace: neutral(`band ${key}`, label, first.trace),
    value,
  });
  const others = [figure('mean', 'mean', mean), figure('lowest', 'min', lowest), figure('highest', 'max', highest)];
  return [
    { ...worst, trace: { ...worst.trace, key: worstKey, showLabel: true } },
    ...(kind === 'extreme' ? [] : others),
    ...all.filter(({ trace }) => !isBandLine(trace)),
  ];
}
