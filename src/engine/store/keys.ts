import { latestMs, maxRows } from './bounds';
import { numberAt, type Database } from './database';
import type { Table } from './tables';

const keysAtOnce = 1000;
/** Unreadable places in one table: beyond that the search stops. */
const maxHoles = 1000;

/**
 * The existing keys of a table, ascending, around places that SQLite can't read (pages that are missing or
 * overwritten). `isWhole` is false with such places, or with keys out of order.
 */
export function readKeys(
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
    const found = tried(() => page(after, limit));
    if (found === undefined && limit > 1) {
      limit = 1;
      continue;
    }
    const next = found === undefined ? nextReadable(after, (from) => tried(() => page(from, 1))) : undefined;
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

function tried<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
