import { isTime } from './bounds';
import { crc32c } from './crc32c';
import { textAt, type Database, type Row, type SqlValue } from './database';
import { migrated } from './format/steps';
import { definition, readable, type Table } from './tables';

const encoder = new TextEncoder();
const scratch = Buffer.alloc(8);
const nothing = 0xffff_ffff;

/** A table's name starts the checksum of each of its rows, so that a row of another table never fits. */
const namePart = new Map<Table, number>();

function ofName(table: Table): number {
  const known = namePart.get(table) ?? crc32c(encoder.encode(table.name));
  namePart.set(table, known);
  return known;
}

/** CRC32C of a row's table, key and content. A text may be given as its bytes. */
export function rowChecksum(table: Table, values: readonly (SqlValue | undefined)[]): number {
  let crc = ofName(table);
  for (let i = 0; i < table.columns.length; i += 1) {
    const value = values[i];
    if (typeof value === 'number') {
      scratch.writeDoubleLE(value);
      crc = crc32c(scratch, crc);
      continue;
    }
    const bytes = typeof value === 'string' ? encoder.encode(value) : value;
    scratch.writeUInt32LE(bytes ? bytes.length : nothing);
    crc = crc32c(scratch, crc, 4);
    if (bytes) crc = crc32c(bytes, crc);
  }
  return crc;
}

const inserts = new Map<string, string>();

/** Writes a row with its checksum. */
export function insertRow(
  database: Database,
  table: Table,
  values: readonly SqlValue[],
  how: 'INSERT' | 'INSERT OR IGNORE' | 'INSERT OR REPLACE' = 'INSERT',
): void {
  insertChecked(database, table, values, rowChecksum(table, values), how);
}

/** Writes a row with its checksum from elsewhere; null: it had none. */
export function insertChecked(
  database: Database,
  table: Table,
  values: readonly SqlValue[],
  crc: number | null,
  how: 'INSERT' | 'INSERT OR IGNORE' | 'INSERT OR REPLACE' = 'INSERT',
): void {
  const known = `${how} ${table.name}`;
  let sql = inserts.get(known);
  if (sql === undefined) {
    const names = [...table.columns.map(({ name }) => name), 'crc'];
    sql = `${how} INTO ${table.name} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`;
    inserts.set(known, sql);
  }
  database.run(sql, ...values, crc);
}

/** Creates an optional table of a file. */
export function ensureTable(database: Database, table: Table): void {
  if (!hasTable(database, table)) database.exec(definition(table, database.format));
}

export function hasTable(database: Database, { name }: Table): boolean {
  return database.row("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = ?", name) !== undefined;
}

/**
 * All columns of a table followed by the checksum, each in a form that is safe to read; a text beyond its limit is
 * NULL.
 */
export function selectRows(database: Database, table: Table, tail = ''): string {
  const columns = table.columns.map((column) => {
    const read = readable(column);
    return column.maxBytes > 0 ? `CASE WHEN octet_length(${column.name}) <= ${column.maxBytes} THEN ${read} END` : read;
  });
  return `SELECT ${[...columns, checksumColumn(database)].join(', ')} FROM ${table.name} ${tail}`;
}

/** The checksum of a row, or NULL where the file has none. */
function checksumColumn({ format }: Database): string {
  return format > 1 ? 'CAST(crc AS INTEGER)' : 'NULL';
}

/** The columns of a row in the current format, its texts as text. */
export function rowValues(database: Database, table: Table, row: Row): readonly SqlValue[] {
  const values = table.columns.map(({ type }, i) => (type === 'text' ? textAt(row, i) : (row[i] ?? null)));
  return migrated(table.name, values, database.format);
}

export type RowState = 'verified' | 'unverified' | 'damaged';

/** Whether a row of `selectRows` is what was written. One that is not is noted by its key. */
export function rowState(database: Database, table: Table, row: Row): RowState {
  const state = stateOf(database, table, row);
  if (state === 'damaged') noteDamaged(database, table, row);
  return state;
}

/** Excludes a row from everything that is read by this connection. */
export function noteDamaged(database: Database, table: Table, row: Row): void {
  database.damage.add(table.name, keyOf(table, row));
}

/** A row's key as a text. */
export function keyOf(table: Table, row: Row): string {
  return table.key
    .map((name) => {
      const value = row[table.columns.findIndex((column) => column.name === name)];
      return value instanceof Uint8Array ? Buffer.from(value).toString() : String(value);
    })
    .join('\n');
}

function stateOf(database: Database, table: Table, row: Row): RowState {
  const isFit = table.columns.every(({ type, isTime: mustBeTime }, i) => {
    const value = row[i];
    if (type === 'text' || type === 'blob') return value instanceof Uint8Array;
    if (typeof value !== 'number' || !Number.isFinite(value)) return false;
    return type === 'real' || (mustBeTime ? isTime(value) : Number.isSafeInteger(value));
  });
  if (!isFit) return 'damaged';
  const crc = row[table.columns.length];
  if (crc === null || crc === undefined) return database.hasChecksums ? 'damaged' : 'unverified';
  return crc === rowChecksum(table, row) ? 'verified' : 'damaged';
}
