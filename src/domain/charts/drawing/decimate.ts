import { gapSteps, usualStepMs } from '../../series/gap';
import type { Line } from './line';

/** Points ready to draw, in reused buffers. A NaN value breaks the line. */
export class Points {
  timesMs = new Float64Array(1024);
  values = new Float32Array(1024);
  /** Sum and number of the samples that a point stands for: of a column all are with its first point. */
  sums = new Float64Array(1024);
  counts = new Uint32Array(1024);
  length = 0;
  /** Width of the columns that the points were reduced to; 0 if every sample is present. */
  bucketMs = 0;
  /** Indexes of the points at either side of a gap. */
  readonly gapEnds: number[] = [];
  lowest = Infinity;
  highest = -Infinity;

  clear(): void {
    this.length = 0;
    this.gapEnds.length = 0;
    this.lowest = Infinity;
    this.highest = -Infinity;
  }

  push(timeMs: number, value: number, sum = value, count = 1): void {
    if (this.length === this.timesMs.length) this.#grow();
    this.timesMs[this.length] = timeMs;
    this.values[this.length] = value;
    this.sums[this.length] = sum;
    this.counts[this.length] = count;
    this.length += 1;
    if (value < this.lowest) this.lowest = value;
    if (value > this.highest) this.highest = value;
  }

  #grow(): void {
    const timesMs = new Float64Array(this.timesMs.length * 2);
    const values = new Float32Array(this.values.length * 2);
    const sums = new Float64Array(this.sums.length * 2);
    const counts = new Uint32Array(this.counts.length * 2);
    timesMs.set(this.timesMs);
    values.set(this.values);
    sums.set(this.sums);
    counts.set(this.counts);
    this.timesMs = timesMs;
    this.values = values;
    this.sums = sums;
    this.counts = counts;
  }
}

/**
 * Reduces a line to about two points per pixel column: the min and max sample of each, at their own times, so that
 * extremes are kept and nothing is interpolated. Columns (`bucketMs` wide) are aligned to the epoch, not to the view: a
 * moving axis shows the same points as before. Below two samples per column everything is kept. Gaps stay gaps; several
 * within one column are one.
 */
export function decimate(line: Line, bucketMs: number, into: Points): void {
  into.clear();
  const { timesMs, values, start, end, factor, gapMs = gapSteps * usualStepMs } = line;
  const { sparseBeforeMs = -Infinity, gapEndsMs } = line;
  const keepAll =
    end - start < 2 || bucketMs <= 2 * (((timesMs[end - 1] ?? 0) - (timesMs[start] ?? 0)) / (end - start - 1));
  into.bucketMs = keepAll ? 0 : bucketMs;
  let previousMs = -Infinity;
  let bucket = -Infinity;
  let brokenBucket = NaN;
  let sawUnknown = false;
  let lowMs = 0;
  let low = NaN;
  let highMs = 0;
  let high = NaN;
  let sum = 0;
  let count = 0;

  const flush = (): void => {
    if (Number.isNaN(low)) return;
    if (lowMs === highMs) into.push(lowMs, low * factor, sum * factor, count);
    else if (lowMs < highMs) {
      into.push(lowMs, low * factor, sum * factor, count);
      into.push(highMs, high * factor, 0, 0);
    } else {
      into.push(highMs, high * factor, sum * factor, count);
      into.push(lowMs, low * factor, 0, 0);
    }
    low = NaN;
    sum = count = 0;
  };

  for (let index = start; index < end; index += 1) {
    const value = values[index] ?? NaN;
    if (Number.isNaN(value)) {
      sawUnknown = true;
      continue;
    }
    const timeMs = timesMs[index] ?? 0;
    const inBucket = keepAll ? index : Math.floor(timeMs / bucketMs);
    const isGap =
      timeMs - previousMs > gapMs &&
      previousMs > -Infinity &&
      (previousMs >= sparseBeforeMs || sawUnknown || gapEndsMs?.has(timeMs) === true);
    sawUnknown = false;
    if (isGap && brokenBucket !== inBucket) {
      flush();
      into.gapEnds.push(into.length - 1, into.length + 1);
      into.push(timeMs, NaN);
      brokenBucket = inBucket;
    } else if (inBucket !== bucket) flush();
    if (Number.isNaN(low)) {
      low = high = value;
      lowMs = highMs = timeMs;
    } else if (value < low) {
      low = value;
      lowMs = timeMs;
    } else if (value > high) {
      high = value;
      highMs = timeMs;
    }
    sum += value;
    count += 1;
    bucket = inBucket;
    previousMs = timeMs;
  }
  flush();
}
