import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { maxInflatedBytes, maxSamplesOfBlock } from './bounds';
import { ByteReader, ByteWriter } from '../base/bytes';

/** One series within a block; times ascend. */
export interface BlockColumn {
  readonly seriesId: number;
  readonly timeMs: number[];
  readonly value: number[];
}

/** Samples of one minute are packed together: long enough to compress well, short enough to be read for a detail. */
export const blockMs = 60_000;

const format = 1;
const plainFloats = 0;
/**
 * Most measured values are integers, or decimals of a few places: they are stored as integer multiples of 1/scale, bit
 * for bit.
 */
const scales = [1, 10, 100, 1000, 10_000];
const maxScaled = 2 ** 50;

function exactScale(values: readonly number[]): number | undefined {
  return scales.find((scale) =>
    values.every((value) => {
      const scaled = Math.round(value * scale);
      return Math.abs(scaled) <= maxScaled && scaled / scale === value;
    }),
  );
}

/** One column's times (from `startMs` on) and values as bytes. */
export function encodeColumn(column: Pick<BlockColumn, 'timeMs' | 'value'>, startMs: number): Uint8Array {
  const out = new ByteWriter();
  let last = startMs;
  let lastStep = 0;
  for (const timeMs of column.timeMs) {
    const step = timeMs - last;
    out.signed(step - lastStep);
    last = timeMs;
    lastStep = step;
  }
  const scale = exactScale(column.value);
  out.unsigned(scale ?? plainFloats);
  let lastScaled = 0;
  for (const value of column.value) {
    if (scale === undefined) out.float(value);
    else {
      const scaled = Math.round(value * scale);
      out.signed(scaled - lastScaled);
      lastScaled = scaled;
    }
  }
  return out.bytes();
}

/**
 * The inverse of `encodeColumn`, from the reader's position. Throws where times don't ascend or are not before `endMs`,
 * and on values that are not numbers.
 */
export function readColumn(
  bytes: ByteReader,
  seriesId: number,
  count: number,
  startMs: number,
  endMs: number,
): BlockColumn {
  const column: BlockColumn = { seriesId, timeMs: [], value: [] };
  let last = startMs;
  let step = 0;
  for (let i = 0; i < count; i += 1) {
    step += bytes.signed();
    last += step;
    if (last < startMs || last >= endMs || (i > 0 && step <= 0))
      throw new Error('The times of packed samples are out of order.');
    column.timeMs.push(last);
  }
  const scale = bytes.unsigned();
  if (scale !== plainFloats && !scales.includes(scale)) throw new Error(`Samples have the unknown scale ${scale}.`);
  let scaled = 0;
  for (let i = 0; i < count; i += 1) {
    if (scale === plainFloats) {
      const value = bytes.float();
      if (!Number.isFinite(value)) throw new Error('A packed sample is not a number.');
      column.value.push(value);
    } else {
      scaled += bytes.signed();
      column.value.push(scaled / scale);
    }
  }
  return column;
}

/** Packs the samples of one block, column by column: times and values as differences, then deflated. Lossless. */
export function encodeBlock(startMs: number, columns: readonly BlockColumn[]): Uint8Array {
  const out = new ByteWriter();
  out.unsigned(format);
  out.unsigned(columns.length);
  for (const column of columns) {
    const body = encodeColumn(column, startMs);
    out.unsigned(column.seriesId);
    out.unsigned(column.timeMs.length);
    out.unsigned(body.length);
    out.append(body);
  }
  return deflateRawSync(out.bytes());
}

/** A packed sample takes at least a byte each for its time and its value. */
const minSampleBytes = 2;

/**
 * The inverse of `encodeBlock`; series not in `wanted` are skipped. Throws on bytes that are not a block of `samples`
 * samples, before allocating memory for more than is possible.
 */
export function decodeBlock(
  startMs: number,
  data: Uint8Array,
  { wanted, samples }: { readonly wanted?: ReadonlySet<number>; readonly samples?: number } = {},
): BlockColumn[] {
  const bytes = new ByteReader(inflateRawSync(data, { maxOutputLength: maxInflatedBytes }));
  const savedFormat = bytes.unsigned();
  if (savedFormat !== format) throw new Error(`Samples are packed in format ${savedFormat}, which is unknown.`);
  const columns: BlockColumn[] = [];
  const known = new Set<number>();
  let total = 0;
  for (let remaining = bytes.count(3); remaining > 0; remaining -= 1) {
    const seriesId = bytes.unsigned();
    if (known.has(seriesId)) throw new Error(`The series ${seriesId} is packed twice.`);
    known.add(seriesId);
    const count = bytes.count(minSampleBytes);
    const length = bytes.count(1);
    if (count * minSampleBytes > length) throw new Error('A series has more samples than bytes.');
    total += count;
    if (total > maxSamplesOfBlock) throw new Error('A minute has more samples than a run can have.');
    if (wanted && !wanted.has(seriesId)) {
      bytes.skip(length);
      continue;
    }
    const end = bytes.left - length;
    columns.push(readColumn(bytes, seriesId, count, startMs, startMs + blockMs));
    if (bytes.left !== end) throw new Error('A series has more bytes than samples.');
  }
  if (bytes.left > 0 || (samples !== undefined && total !== samples))
    throw new Error('The number of samples in a minute is wrong.');
  return columns;
}
