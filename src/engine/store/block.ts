import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { ByteReader, ByteWriter } from './bytes';

/** One series within a block; times ascend. */
export interface BlockColumn {
  readonly seriesId: number;
  readonly timeMs: number[];
  readonly value: number[];
}

/** Samples of one minute are packed together: long enough to pack well, short enough to be read for a look at a detail. */
export const blockMs = 60_000;

const format = 1;
const plainFloats = 0;
/** Most measured values are whole, or decimals of a few places: they are kept as whole multiples of 1/scale, bit for bit. */
const scales = [1, 10, 100, 1000, 10_000];
const mostScaled = 2 ** 50;

function exactScale(values: readonly number[]): number | undefined {
  return scales.find((scale) =>
    values.every((value) => {
      const scaled = Math.round(value * scale);
      return Math.abs(scaled) <= mostScaled && scaled / scale === value;
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

/** The inverse of `encodeColumn`, from where the reader stands. */
export function readColumn(bytes: ByteReader, seriesId: number, count: number, startMs: number): BlockColumn {
  const column: BlockColumn = { seriesId, timeMs: [], value: [] };
  let last = startMs;
  let step = 0;
  for (let i = 0; i < count; i += 1) {
    step += bytes.signed();
    last += step;
    column.timeMs.push(last);
  }
  const scale = bytes.unsigned();
  let scaled = 0;
  for (let i = 0; i < count; i += 1) {
    if (scale === plainFloats) column.value.push(bytes.float());
    else {
      scaled += bytes.signed();
      column.value.push(scaled / scale);
    }
  }
  return column;
}

/** Packs the samples of one block, column by column: times and values as differences, then deflated. No value changes by it. */
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

/** The inverse of `encodeBlock`; `wanted` leaves other series out. Throws on bytes that are no block. */
export function decodeBlock(startMs: number, data: Uint8Array, wanted?: ReadonlySet<number>): BlockColumn[] {
  const bytes = new ByteReader(inflateRawSync(data));
  const found = bytes.unsigned();
  if (found !== format) throw new Error(`Samples are packed in format ${found}, which is not known here.`);
  const columns: BlockColumn[] = [];
  for (let left = bytes.unsigned(); left > 0; left -= 1) {
    const seriesId = bytes.unsigned();
    const count = bytes.unsigned();
    const length = bytes.unsigned();
    if (wanted && !wanted.has(seriesId)) bytes.skip(length);
    else columns.push(readColumn(bytes, seriesId, count, startMs));
  }
  return columns;
}
