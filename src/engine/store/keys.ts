import { latestMs, mostRows } from './bounds';
import { numberAt, type Database } from './database';
import type { Table } from './tables';

const keysAtOnce = 1000;
/** Places that can't be read, in one table: beyond that it is left alone. */
const mostHoles = 1000;

/**
 * The keys of a table that are there, ascending, around places that SQLite can't read (pages that are missing or are
 * something else). `isWhole` is false where there were such places, or keys out of order.
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
  while (keys.length <= mostRows[table.name]) {
    const found = tried(() => page(after, limit));
    if (found === undefined && limit > 1) {
      limit = 1;
      continue;
    }
    const next = found === undefined ? nextReadable(after, (from) => tried(() => page(from, 1))) : undefined;
    if (found === undefined) {
      holes += 1;
      if (next === undefined || holes > mostHoles) return { keys, isWhole: false };
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
  return { keys: keys.slice(0, mostRows[table.name]), isWhole: false };
}

/**
 * The smallest place beyond `after`, about, from which on keys can be read: by longer and longer steps, then between
 * the last two.
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
