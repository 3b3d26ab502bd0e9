import { FullhouseError } from '../../contract/calls';
import { numberAt, textAt, type Database, type Row } from './database';
import { runFormat } from './format/steps';
import { definition, everyTable, firstTables } from './tables';

/** "Full" in ASCII, at offset 68 of the file: marks an SQLite file as a Fullhouse run. */
export const applicationId = 0x46756c6c;

/** Limit of objects in a run file: tables and their indexes. */
const maxObjects = 64;
const longestName = 60;

/** Creates the tables of a new run file. */
export function createTables(database: Database): void {
  database.exec(`PRAGMA application_id = ${applicationId}; PRAGMA user_version = ${runFormat};`);
  database.formatChanged();
  for (const table of firstTables) database.exec(definition(table, runFormat));
}

/** SQLite keeps a definition as it was written. */
function normalised(sql: string): string {
  return sql
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .trim();
}

/**
 * Refuses a file whose schema is not exactly one of ours: a view, trigger, virtual or generated column would make
 * SQLite execute code of the file's author whenever a row is read or written. To be called before anything else is
 * read. Throws `damaged-run`.
 */
export function checkSchema(database: Database, name: string): void {
  const { format } = database;
  if (format < 1 || format > runFormat)
    throw new FullhouseError('damaged-run', `${name} has the run format ${format}, which does not exist.`);
  const known = new Map(everyTable.map((table) => [table.name as string, normalised(definition(table, format))]));
  const names = new Set<string>();
  const objects = database.rows(
    `SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(tbl_name AS BLOB), CAST(sql AS BLOB), CAST(rootpage AS INTEGER)
      FROM sqlite_master LIMIT ${maxObjects + 1}`,
  );
  if (objects.length > maxObjects)
    throw new FullhouseError('damaged-run', `${name} has too many tables for a run. ${advice}`);
  const roots = new Set<number>();
  for (const row of objects) {
    // What is written to one table must not end up in another.
    const isApart = !roots.has(numberAt(row, 4));
    if (!isApart || !isOurs(row, known)) throw foreign(name, row);
    roots.add(numberAt(row, 4));
    names.add(textAt(row, 1));
  }
  const missing = firstTables.find((table) => !names.has(table.name));
  if (missing) throw new FullhouseError('damaged-run', `${name} is damaged: its table "${missing.name}" is missing.`);
}

const advice = 'It is not opened; ask the sender for a new export.';

function isOurs(row: Row, known: ReadonlyMap<string, string>): boolean {
  try {
    const [type, name, table] = [textAt(row, 0), textAt(row, 1), textAt(row, 2)];
    // Indexes created by SQLite have no text.
    if (type === 'index') return row[3] === null && known.has(table) && /^sqlite_autoindex_[a-z]+_\d+$/.test(name);
    return type === 'table' && name === table && normalised(textAt(row, 3)) === known.get(name);
  } catch {
    return false;
  }
}

function foreign(file: string, row: Row): FullhouseError {
  const [type, name] = [row[0], row[1]].map((value) =>
    value instanceof Uint8Array
      ? // Names of a foreign file are shown without terminal control characters.
        Buffer.from(value)
          .toString('latin1')
          .replace(/[^\x20-\x7e]/g, '?')
          .slice(0, longestName)
      : 'object',
  );
  return new FullhouseError(
    'damaged-run',
    `${file} contains the ${type} "${name}", which does not belong to a run or is defined differently. ${advice}`,
  );
}
