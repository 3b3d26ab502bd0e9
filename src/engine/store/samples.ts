import { FullhouseError } from '../../contract/calls';
import { seriesDefinition, type SeriesId } from '../../domain/series/series';
import { blockMs, decodeBlock, encodeBlock, type BlockColumn } from './block';
import { isMinute, maxRows } from './bounds';
import { bytesAt, numberAt, type Database, type Row } from './database';
import { insertRow, noteDamaged, rowState, rowValues, selectRows } from './rows';
import { tables } from './tables';

/** A series of a node, as numbered in the file. */
export interface StoredSeries {
  readonly id: number;
  readonly node: string;
  readonly series: SeriesId;
}

export function minuteOf(timeMs: number): number {
  return Math.floor(timeMs / blockMs) * blockMs;
}

/** All series of a file except damaged ones. A name unknown to this version is an error of the file, not a gap. */
export function storedSeries(database: Database): StoredSeries[] {
  const rows = database.rows(selectRows(database, tables.series, 'ORDER BY id LIMIT ?'), maxRows.series + 1);
  if (rows.length > maxRows.series)
    throw new FullhouseError('damaged-run', 'The run file has more series than a run can have.');
  return rows
    .filter((row) => rowState(database, tables.series, row) !== 'damaged')
    .map((row) => {
      const [id, node, name] = rowValues(database, tables.series, row);
      const series = String(name);
      if (!seriesDefinition(series))
        throw new FullhouseError('damaged-run', `The run contains an unknown series "${series}".`);
      return { id: Number(id), node: String(node), series: series as SeriesId };
    });
}

/** Minutes with samples from `fromMs` to `toMs` (excluded), packed or not, oldest first. */
export function minutesWithin(database: Database, fromMs: number, toMs: number): number[] {
  const packed = database.rows(
    'SELECT minute_ms FROM block WHERE minute_ms >= ? AND minute_ms < ? LIMIT ?',
    minuteOf(fromMs),
    toMs,
    maxRows.block + 1,
  );
  if (packed.length > maxRows.block)
    throw new FullhouseError('damaged-run', 'The run file has more minutes than a run can have.');
  const waiting = database.rows(
    'SELECT DISTINCT CAST(time_ms - time_ms % ? AS INTEGER) FROM sample WHERE time_ms >= ? AND time_ms < ? LIMIT ?',
    blockMs,
    fromMs,
    toMs,
    maxRows.block,
  );
  const minutes = new Set([...packed, ...waiting].map((row) => numberAt(row, 0)));
  return [...minutes].filter(isMinute).sort((a, b) => a - b);
}

/**
 * All samples of one minute, one column per series. Packed samples have priority: of samples of the same series and
 * millisecond the first counts. A damaged minute has none, and is noted.
 */
export function readMinute(database: Database, minuteMs: number, ids?: ReadonlySet<number>): BlockColumn[] {
  const packed = packedColumns(database, minuteMs, ids);
  const rows = database.rows(
    selectRows(database, tables.sample, 'WHERE time_ms >= ? AND time_ms < ? ORDER BY time_ms'),
    minuteMs,
    minuteMs + blockMs,
  );
  const columns = new Map(packed.map((column) => [column.seriesId, column]));
  for (const row of rows) {
    const seriesId = numberAt(row, 1);
    if (ids && !ids.has(seriesId)) continue;
    if (rowState(database, tables.sample, row) === 'damaged') continue;
    const column = columns.get(seriesId) ?? { seriesId, timeMs: [], value: [] };
    columns.set(seriesId, column);
    insert(column, numberAt(row, 0), numberAt(row, 2));
  }
  return [...columns.values()];
}

/** A row of a packed minute as `readMinute` reads it; undefined when the minute has no such row. */
function packedRow(database: Database, minuteMs: number): Row | undefined {
  return database.row(selectRows(database, tables.block, 'WHERE minute_ms = ?'), minuteMs);
}

function packedColumns(database: Database, minuteMs: number, ids: ReadonlySet<number> | undefined): BlockColumn[] {
  if (database.damage.has('block', minuteMs)) return [];
  const row = packedRow(database, minuteMs);
  if (!row || rowState(database, tables.block, row) === 'damaged') return [];
  try {
    return decodeBlock(minuteMs, bytesAt(row, 2), { wanted: ids, samples: numberAt(row, 1) });
  } catch {
    noteDamaged(database, tables.block, row);
    return [];
  }
}

function insert(column: BlockColumn, timeMs: number, value: number): void {
  const { timeMs: times, value: values } = column;
  let at = times.length;
  while (at > 0 && (times[at - 1] ?? 0) > timeMs) at -= 1;
  if (times[at - 1] === timeMs) return;
  times.splice(at, 0, timeMs);
  values.splice(at, 0, value);
}

/** Packs every minute that ended before `beforeMs`, and returns which. Runs inside the caller's transaction. */
export function packMinutes(database: Database, beforeMs: number): number[] {
  const minutes = database
    .rows(
      'SELECT DISTINCT CAST(time_ms - time_ms % ? AS INTEGER) FROM sample WHERE time_ms < ?',
      blockMs,
      minuteOf(beforeMs),
    )
    .map((row) => numberAt(row, 0))
    .filter((minuteMs) => isMinute(minuteMs) && isSound(database, minuteMs));
  for (const minuteMs of minutes) {
    const columns = readMinute(database, minuteMs);
    const samples = columns.reduce((sum, column) => sum + column.timeMs.length, 0);
    insertRow(database, tables.block, [minuteMs, samples, encodeBlock(minuteMs, columns)], 'INSERT OR REPLACE');
    database.run('DELETE FROM sample WHERE time_ms >= ? AND time_ms < ?', minuteMs, minuteMs + blockMs);
  }
  return minutes;
}

/** A damaged block is not replaced by the few samples that followed it: it stays as it is, and is reported. */
function isSound(database: Database, minuteMs: number): boolean {
  packedColumns(database, minuteMs, new Set());
  return !database.damage.has('block', minuteMs);
}

/** The time of the last sample; undefined without samples. */
export function lastSampleMs(database: Database): number | undefined {
  for (const minute of minutesWithin(database, 0, Number.MAX_SAFE_INTEGER).reverse()) {
    const columns = readMinute(database, minute);
    if (columns.length > 0) return Math.max(...columns.map((column) => column.timeMs.at(-1) ?? minute));
  }
  return undefined;
}
