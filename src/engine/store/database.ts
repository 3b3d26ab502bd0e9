import Libsql from 'libsql';

export type SqlValue = number | string | Uint8Array | null;
export type Row = readonly SqlValue[];

/**
 * One SQLite connection with its statements prepared once. Rows come as arrays of columns, because that form alone gives blobs as bytes
 * and nothing else beside them.
 *
 * A closed connection keeps its file open until its statements are collected as garbage (the binding has no other way to free them), so a
 * second connection to a file that is being written is avoided: see `RunFileReader`.
 */
export class Database {
  private readonly connection: Libsql.Database;
  private readonly statements = new Map<string, Libsql.Statement>();
  private closed = false;

  /** Opens or creates the file. Throws SQLite's own error, with its `code`. */
  constructor(readonly path: string) {
    this.connection = new Libsql(path, { timeout: 2000 });
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

  row(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.rows(sql, ...values)[0];
  }

  /** Everything in `act` or nothing of it. */
  transaction<T>(act: () => T): T {
    this.connection.exec('BEGIN IMMEDIATE');
    try {
      const result = act();
      this.connection.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite has rolled back by itself when the disk is full; a second rollback would hide that error.
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

/** A column that holds a number by the schema. */
export function numberAt(row: Row, column: number): number {
  return Number(row[column]);
}

/** A column that holds text by the schema. */
export function textAt(row: Row, column: number): string {
  return String(row[column]);
}

/** A column that holds bytes by the schema. */
export function bytesAt(row: Row, column: number): Uint8Array {
  const value = row[column];
  if (!(value instanceof Uint8Array)) throw new Error('A blob of the run file is no blob.');
  return value;
}
