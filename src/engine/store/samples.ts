import { FullhouseError } from '../../contract/calls';
import { seriesDefinition, type SeriesId } from '../../domain/series';
import { blockMs, decodeBlock, encodeBlock, type BlockColumn } from './block';
import { bytesAt, numberAt, textAt, type Database } from './database';

/** A series of a node, as the file numbers it. */
export interface StoredSeries {
  readonly id: number;
  readonly node: string;
  readonly series: SeriesId;
}

export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / blockMs) * blockMs;
}

/** All series of a file. A name that this version does not know is an error of the file, not a gap. */
export function storedSeries(database: Database): StoredSeries[] {
  return database.rows('SELECT id, node, series FROM series ORDER BY id').map((row) => {
    const series = textAt(row, 2);
    if (!seriesDefinition(series))
      throw new FullhouseError('damaged-run', `The run holds a series "${series}", which is not known here.`);
    return { id: numberAt(row, 0), node: textAt(row, 1), series: series as SeriesId };
  });
}

/** Minutes in which there are samples from `fromMs` to `toMs` (excluded), packed or not, oldest first. */
export function minutesWithin(database: Database, fromMs: number, toMs: number): number[] {
  const packed = database.rows(
    'SELECT minute_ms FROM block WHERE minute_ms >= ? AND minute_ms < ?',
    minuteOf(fromMs),
    toMs,
  );
  const waiting = database.rows(
    'SELECT DISTINCT time_ms - time_ms % ? FROM sample WHERE time_ms >= ? AND time_ms < ?',
    blockMs,
    fromMs,
    toMs,
  );
  const minutes = new Set([...packed, ...waiting].map((row) => numberAt(row, 0)));
  return [...minutes].sort((a, b) => a - b);
}

/** All samples of one minute, one column per series. What came after packing wins over what was packed. */
export function readMinute(
  database: Database,
  minuteMs: number,
  wanted?: ReadonlySet<number>,
): BlockColumn[] {
  const packed = packedColumns(database, minuteMs, wanted);
  const rows = database.rows(
    'SELECT series_id, time_ms, value FROM sample WHERE time_ms >= ? AND time_ms < ? ORDER BY time_ms',
    minuteMs,
    minuteMs + blockMs,
  );
  const columns = new Map(packed.map((column) => [column.seriesId, column]));
  for (const row of rows) {
    const seriesId = numberAt(row, 0);
    if (wanted && !wanted.has(seriesId)) continue;
    const column = columns.get(seriesId) ?? { seriesId, timeMs: [], value: [] };
    columns.set(seriesId, column);
    insert(column, numberAt(row, 1), numberAt(row, 2));
  }
  return [...columns.values()];
}

function packedColumns(
  database: Database,
  minuteMs: number,
  wanted: ReadonlySet<number> | undefined,
): BlockColumn[] {
  const row = database.row('SELECT data FROM block WHERE minute_ms = ?', minuteMs);
  if (!row) return [];
  try {
    return decodeBlock(minuteMs, bytesAt(row, 0), wanted);
  } catch (error) {
    const minute = new Date(minuteMs).toISOString();
    throw new FullhouseError('damaged-run', `The samples of the minute ${minute} can't be read.`, {
      cause: error,
    });
  }
}

function insert(column: BlockColumn, timeMs: number, value: number): void {
  const { timeMs: times, value: values } = column;
  let at = times.length;
  while (at > 0 && (times[at - 1] ?? 0) > timeMs) at -= 1;
  if (times[at - 1] === timeMs) values[at - 1] = value;
  else {
    times.splice(at, 0, timeMs);
    values.splice(at, 0, value);
  }
}

/** Packs every minute that ended before `beforeMs`, and tells which. Runs inside the caller's transaction. */
export function packMinutes(database: Database, beforeMs: number): number[] {
  const minutes = database
    .rows('SELECT DISTINCT time_ms - time_ms % ? FROM sample WHERE time_ms < ?', blockMs, minuteOf(beforeMs))
    .map((row) => numberAt(row, 0));
  for (const minuteMs of minutes) {
    const columns = readMinute(database, minuteMs);
    const samples = columns.reduce((sum, column) => sum + column.timeMs.length, 0);
    database.run(
      'INSERT OR REPLACE INTO block (minute_ms, samples, data) VALUES (?, ?, ?)',
      minuteMs,
      samples,
      encodeBlock(minuteMs, columns),
    );
    database.run('DELETE FROM sample WHERE time_ms >= ? AND time_ms < ?', minuteMs, minuteMs + blockMs);
  }
  return minutes;
}

/** The time of the last sample; undefined when there is none. */
export function lastSampleMs(database: Database): number | undefined {
  const minute = minutesWithin(database, 0, Number.MAX_SAFE_INTEGER).at(-1);
  if (minute === undefined) return undefined;
  return Math.max(...readMinute(database, minute).map((column) => column.timeMs.at(-1) ?? minute));
}
