import { decodeBlock } from './block';
import { isMinute, latestMs, maxRows } from './bounds';
import { bytesAt, numberAt, type Database, type Row } from './database';
import { metaKeys } from './format/meta';
import { savedEvent, savedViewer } from './format/rows';
import { readKeys } from './keys';
import type { Tally } from './manifest';
import { soundMeta, type Meta } from './meta';
import { hasTable, keyOf, noteDamaged, rowState, rowValues, selectRows, type RowState } from './rows';
import { tables, type Table, type TableName } from './tables';

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
export function lostOf(database: Database, seen: ReadonlyMap<TableName, ScannedTable>): Meta<'lost'> {
  const before = soundMeta(database, 'lost');
  const manifest = soundMeta(database, 'manifest');
  const rows: Record<string, number> = Object.fromEntries(
    Object.entries(before?.rows ?? {}).filter(([name]) => name in tables),
  );
  for (const [name, table] of seen) {
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
function missingOf(written: Tally | undefined, seen: ScannedTable, damaged: number): number {
  const { rows, sum } = written ?? { rows: 0, sum: 0 };
  if (rows !== seen.rows) return Math.max(damaged > 0 ? 0 : 1, rows - seen.rows - damaged);
  return sum === seen.sum || damaged > 0 ? 0 : 1;
}

export function isLost({ minutes, rows }: Meta<'lost'>): boolean {
  return minutes.length > 0 || Object.keys(rows).length > 0;
}
