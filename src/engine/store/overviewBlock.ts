import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { encodeColumn, readColumn } from './block';
import { maxInflatedBytes } from './bounds';
import { ByteReader, ByteWriter } from '../base/bytes';
import type { ReducedColumn } from './reduce';

/** The latest value of a series that is part of a sum. */
export interface LastValue {
  readonly timeMs: number;
  readonly value: number;
}

/** One row of an overview: every series in its time, and the state of the sums at its end. */
export interface OverviewRow {
  readonly columns: readonly ReducedColumn[];
  readonly heard: ReadonlyMap<number, LastValue>;
}

const format = 1;

export function encodeOverview(startMs: number, { columns, heard }: OverviewRow): Uint8Array {
  const out = new ByteWriter();
  out.unsigned(format);
  out.unsigned(heard.size);
  for (const [seriesId, { timeMs, value }] of heard) {
    out.unsigned(seriesId);
    out.signed(timeMs - startMs);
    out.float(value);
  }
  out.unsigned(columns.length);
  for (const column of columns) {
    const body = encodeBody(column, startMs);
    out.unsigned(column.seriesId);
    out.unsigned(body.length);
    out.append(body);
  }
  return deflateRawSync(out.bytes());
}

function encodeBody({ timeMs, value, breaks, firstMs, lastMs }: ReducedColumn, startMs: number): Uint8Array {
  const out = new ByteWriter();
  out.signed(firstMs - startMs);
  out.signed(lastMs - startMs);
  out.unsigned(breaks.length);
  let last = 0;
  for (const place of breaks) {
    out.unsigned(place - last);
    last = place;
  }
  out.unsigned(timeMs.length);
  out.append(encodeColumn({ timeMs, value }, startMs));
  return out.bytes();
}

/**
 * The inverse of `encodeOverview` for a row that is `rowMs` long; series not in `wanted` are skipped. Throws on other
 * bytes.
 */
export function decodeOverview(
  startMs: number,
  rowMs: number,
  data: Uint8Array,
  ids?: ReadonlySet<number>,
): OverviewRow {
  const bytes = new ByteReader(inflateRawSync(data, { maxOutputLength: maxInflatedBytes }));
  const savedFormat = bytes.unsigned();
  if (savedFormat !== format) throw new Error(`The overview is packed in format ${savedFormat}, which is unknown.`);
  const heard = new Map<number, LastValue>();
  for (let remaining = bytes.count(10); remaining > 0; remaining -= 1)
    heard.set(bytes.unsigned(), { timeMs: startMs + bytes.signed(), value: bytes.float() });
  const columns: ReducedColumn[] = [];
  for (let remaining = bytes.count(2); remaining > 0; remaining -= 1) {
    const seriesId = bytes.unsigned();
    const length = bytes.unsigned();
    if (ids && !ids.has(seriesId)) bytes.skip(length);
    else columns.push(decodeBody(bytes, seriesId, startMs, startMs + rowMs));
  }
  return { columns, heard };
}

function decodeBody(bytes: ByteReader, seriesId: number, startMs: number, endMs: number): ReducedColumn {
  const firstMs = startMs + bytes.signed();
  const lastMs = startMs + bytes.signed();
  const breaks: number[] = [];
  let place = 0;
  for (let remaining = bytes.count(1); remaining > 0; remaining -= 1) {
    place += bytes.unsigned();
    breaks.push(place);
  }
  const { timeMs, value } = readColumn(bytes, seriesId, bytes.count(2), startMs, endMs);
  return { seriesId, timeMs, value, breaks, firstMs, lastMs };
}
