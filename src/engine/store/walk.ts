import { decodeBlock } from './block';
import { isMinute, latestMs, maxRows } from './bounds';
import { bytesAt, type Database, numberAt, type Row } from './database';
import { metaKeys } from './format/meta';
import { savedEvent, savedViewer } from './format/rows';
import type { Tally } from './manifest';
import { type Meta, soundMeta } from './meta';
import { hasTable, keyOf, noteDamaged, rowState, type RowState, rowValues, selectRows } from './rows';
import { type Table, type TableName, tables } from './tables';

/** Number of visited rows of a table, and whether each had its checksum. */
export interface ScannedTable extends Tally {
  readonly isVerified: boolean;
}

/**
 * Visits every intact row of a table, by the keys as used elsewhere; damaged ones are noted on the connection. Iterates
 * over existing rows, whatever times the file claims.
 */
export function walkTable(
  database: Database,
  table: Table,
  visit: (row: Row, state: RowState) => void = () => undefined,
): ScannedTable {
  let [rows, sum, isVerified] = [0, 0, true];
  const look = (row: Row): void => {
    if (table.name === 'meta' && keyOf(table, row) === 'manifest') return;
    rows += 1;
    sum += Number(row[table.columns.length] ?? 0);
    let state = rowState(database, table, row);
    if (state === 'unverified' && !isReadable(database, table, row)) {
      noteDamaged(database, table, row);
      state = 'damaged';
    }
    if (state !== 'verified') isVerified = false;
    if (state === 'damaged') return;
    try {
      visit(row, state);
    } catch (error) {
      throw new VisitFailure('A row could not be processed.', { cause: error });
    }
  };
  if (hasTable(database, table))
    if (table.key.length > 0 && isNumeric(table)) walkNumbers(database, table, look);
    else walkTexts(database, table, look);
  return { rows, sum, isVerified };
}

const isNumeric = ({ key, columns }: Table): boolean => columns[0]?.type === 'integer' && columns[0].name === key[0];

function walkNumbers(database: Database, table: Table, look: (row: Row) => void): void {
  const key = table.key[0] as string;
  const sql = selectRows(database, table, `WHERE ${key} = ?`);
  const { keys, isWhole } = readKeys(database, table, key);
  if (!isWhole) database.damage.add(table.name, 'unreadable');
  for (const at of keys) {
    let count = 0;
    const whole = tried(() => {
      for (const row of database.each(sql, at)) {
        count += 1;
        look(row);
      }
      return true;
    });
    if (whole === undefined || count === 0) database.damage.add(table.name, at);
  }
}

/** Rows in their order up to the first that can't be read; of `meta` then each by the keys that a file can have. */
function walkTexts(database: Database, table: Table, look: (row: Row) => void): void {
  const seen = new Set<string>();
  const whole = tried(() => {
    for (const row of database.each(selectRows(database, table, `LIMIT ${maxRows[table.name] + 1}`))) {
      seen.add(keyOf(table, row));
      look(row);
    }
    return true;
  });
  if (whole === true && seen.size <= maxRows[table.name]) return;
  database.damage.add(table.name, 'unreadable');
  if (table.name !== 'meta') return;
  const sql = selectRows(database, table, 'WHERE key = ?');
  for (const key of metaKeys) if (!seen.has(key)) tried(() => database.rows(sql, key).forEach(look));
}

/** An error in the visitor of a row, not in the file that it was read from. */
class VisitFailure extends Error {}

function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof VisitFailure) throw error.cause;
    return undefined;
  }
}

/** Whether a row without a checksum can at least be read; others are what was written. */
function isReadable(database: Database, table: Table, row: Row): boolean {
  return (
    tried(() => {
      if (table.name === 'block') {
        if (!isMinute(numberAt(row, 0))) return false;
        decodeBlock(numberAt(row, 0), bytesAt(row, 2), { wanted: new Set(), samples: numberAt(row, 1) });
      }
      const values = rowValues(database, table, row);
      if (table.name === 'event') savedEvent.parse(JSON.parse(String(values[2])));
      if (table.name === 'viewer') savedViewer.parse(JSON.parse(String(values[4])));
      return true;
    }) ?? false
  );
}

/** What is damaged or missing in the visited tables, including the losses of the file that this one was made from. */
export function lostOf(database: Database, scannedTables: ReadonlyMap<TableName, ScannedTable>): Meta<'lost'> {
  const before = soundMeta(database, 'lost');
  const manifest = soundMeta(database, 'manifest');
  const rows: Record<string, number> = Object.fromEntries(
    Object.entries(before?.rows ?? {}).filter(([name]) => name in tables),
  );
  for (const [name, table] of scannedTables) {
    if (tables[name].isDerived === true) continue;
    const gone =
      manifest?.isSettled === true ? missingOf(manifest.tables[name], table, database.damage.count(name)) : 0;
    const bad = database.damage.count(name) - (name === 'block' ? database.damage.minutes.length : 0);
    if (bad + gone > 0) rows[name] = (rows[name] ?? 0) + Math.max(bad, gone);
  }
  const minutes = new Set([...(before?.minutes ?? []), ...database.damage.minutes]);
  return { minutes: [...minutes].filter((minute) => minute <= latestMs).sort((a, b) => a - b), rows };
}

/** Rows that were written and are missing; 1 also if the number is the same, but the rows are not. */
function missingOf(written: Tally | undefined, table: ScannedTable, damaged: number): number {
  const { rows, sum } = written ?? { rows: 0, sum: 0 };
  if (rows !== table.rows) return Math.max(damaged > 0 ? 0 : 1, rows - table.rows - damaged);
  return sum === table.sum || damaged > 0 ? 0 : 1;
}

export function isLost({ minutes, rows }: Meta<'lost'>): boolean {
  return minutes.length > 0 || Object.keys(rows).length > 0;
}

const keysAtOnce = 1000;
/** Unreadable places in one table: beyond that the search stops. */
const maxHoles = 1000;

/**
 * The existing keys of a table, ascending, around places that SQLite can't read (pages that are missing or
 * overwritten). `isWhole` is false with such places, or with keys out of order.
 */
function readKeys(
  database: Database,
  table: Table,
  key: string,
): { readonly keys: number[]; readonly isWhole: boolean } {
  const sql = `SELECT DISTINCT CAST(${key} AS INTEGER) FROM ${table.name} WHERE ${key} > ? ORDER BY ${key} LIMIT ?`;
  const page = (after: number, limit: number): number[] =>
    database.rows(sql, after, limit).map((row) => numberAt(row, 0));
  const keys: number[] = [];
  let after = -1;
  let limit = keysAtOnce;
  let holes = 0;
  while (keys.length <= maxRows[table.name]) {
    const found = readOrUndefined(() => page(after, limit));
    if (found === undefined && limit > 1) {
      limit = 1;
      continue;
    }
    const next = found === undefined ? nextReadable(after, (from) => readOrUndefined(() => page(from, 1))) : undefined;
    if (found === undefined) {
      holes += 1;
      if (next === undefined || holes > maxHoles) return { keys, isWhole: false };
      after = next;
      limit = keysAtOnce;
      continue;
    }
    for (const each of found) {
      if (!(each > after)) return { keys, isWhole: false };
      keys.push(each);
      after = each;
    }
    if (found.length < limit) return { keys, isWhole: holes === 0 };
  }
  return { keys: keys.slice(0, maxRows[table.name]), isWhole: false };
}

/**
 * Approximately the smallest key beyond `after` from which on keys can be read: with growing steps, then between the
 * last two.
 */
function nextReadable(after: number, read: (from: number) => number[] | undefined): number | undefined {
  let bad = after;
  let good: number | undefined;
  for (let step = 1; good === undefined && bad < latestMs; step *= 2)
    if (read(after + step) === undefined) bad = after + step;
    else good = after + step;
  while (good !== undefined && good - bad > 1) {
    const middle = Math.floor((good + bad) / 2);
    if (read(middle) === undefined) bad = middle;
    else good = middle;
  }
  return good;
}

function readOrUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
