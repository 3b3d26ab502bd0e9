import { resolve } from 'node:path';
import Libsql from 'libsql';
import { FullhouseError } from '../../contract/calls';
import { maxSqliteBytes } from './bounds';
import { Damage } from './damage';

export type SqlValue = number | string | Uint8Array | null;
export type Row = readonly SqlValue[];

/**
 * A file is untrusted: its schema calls no functions, its pages are checked when read, and no memory is mapped (a file
 * that becomes shorter would end the process). Temporary tables of VACUUM are on disk, since memory is limited.
 */
const safety = `PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA temp_store = FILE;
  PRAGMA hard_heap_limit = ${maxSqliteBytes};`;

/**
 * One SQLite connection with its prepared statements. Rows are arrays of columns, because only that form returns blobs
 * as bytes without anything else.
 *
 * A closed connection keeps its file open until its statements are garbage-collected (the binding has no other way to
 * free them), so a second connection to a file that is being written is avoided: see `RunFileReader`.
 */
export class Database {
  /** Rows that this connection found damaged. */
  readonly damage = new Damage();
  private readonly connection: Libsql.Database;
  private readonly statements = new Map<string, Libsql.Statement>();
  private closed = false;
  private knownFormat: number | undefined;
  private knownBorn: boolean | undefined;

  /**
   * Opens or creates the file; `openRunFile` opens files from elsewhere. Throws SQLite's own error, with its `code`.
   */
  constructor(readonly path: string) {
    // An absolute path: the driver interprets some others as addresses.
    this.connection = new Libsql(resolve(path), { timeout: 2000 });
    this.connection.exec(safety);
  }

  /** The format of the run file: it has checksums from 2 on. */
  get format(): number {
    this.knownFormat ??= numberAt(this.row('PRAGMA user_version') ?? [0], 0);
    return this.knownFormat;
  }

  /** Whether every row of the file was written with its checksum, so that one without is damaged. */
  get hasChecksums(): boolean {
    this.knownBorn ??= this.format > 1 && this.row("SELECT 1 FROM meta WHERE key = 'manifest'") !== undefined;
    return this.knownBorn;
  }

  /** Reads the file's format again, after a change. */
  formatChanged(): void {
    this.knownFormat = undefined;
    this.knownBorn = undefined;
  }

  get isOpen(): boolean {
    return !this.closed;
  }

  exec(sql: string): void {
    this.connection.exec(sql);
  }

  run(sql: string, ...values: SqlValue[]): void {
    this.prepared(sql).run(values);
  }

  rows(sql: string, ...values: SqlValue[]): Row[] {
    return this.prepared(sql).raw().all(values) as Row[];
  }

  /** Rows one after the other, a hundred at a time in memory; must be read to the end. */
  each(sql: string, ...values: SqlValue[]): Iterable<Row> {
    return this.prepared(sql).raw().iterate(values) as Iterable<Row>;
  }

  row(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.rows(sql, ...values)[0];
  }

  /** A transaction: everything in `act` or nothing of it. */
  transaction<T>(act: () => T): T {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      const result = act();
      this.connection.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back already when the disk is full; a second rollback would hide that error.
      if (this.connection.inTransaction) this.connection.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    if (this.closed) return;
    this.closed = true;
    this.statements.clear();
    this.connection.close();
  }

  private prepared(sql: string): Libsql.Statement {
    const known = this.statements.get(sql);
    if (known) return known;
    const made = this.connection.prepare(sql);
    this.statements.set(sql, made);
    return made;
  }
}

/** A column that contains a number by the schema. */
export function numberAt(row: Row, column: number): number {
  return Number(row[column]);
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * A column of text that was read as bytes (`readable` in `tables.ts`). The driver ends the process on a text that is
 * not UTF-8, so a text decoded by the driver is refused: the query lacks its CAST.
 */
export function textAt(row: Row, column: number): string {
  const value = row[column];
  if (typeof value === 'string') throw new Error('A text of a run file was not read as bytes.');
  try {
    return utf8.decode(bytesAt(row, column));
  } catch (error) {
    throw new FullhouseError('damaged-run', 'A text of the run file is not UTF-8.', { cause: error });
  }
}

/** A column that contains bytes by the schema. */
export function bytesAt(row: Row, column: number): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new Error('Bytes of the run file are missing or too many.');
  return value;
}
