import {
  mostInflatedBytes,
  mostJsonBytes,
  mostMetaBytes,
  mostNameBytes,
  mostPackedBytes,
  type mostRows,
  mostStillBytes,
} from './bounds';

export interface Column {
  readonly name: string;
  readonly type: 'integer' | 'real' | 'text' | 'blob';
  /** What else its definition says. */
  readonly sql: string;
  /** For texts and blobs. */
  readonly mostBytes: number;
  /** The column holds a time, Unix ms. */
  readonly isTime: boolean;
}

export type TableName = keyof typeof mostRows;

/** A table of a run file: its definition, its bounds and how its rows are found. */
export interface Table {
  readonly name: TableName;
  readonly columns: readonly Column[];
  /** Columns that tell rows apart, the first of them in the order of the file. None: the table has one row. */
  readonly key: readonly string[];
  /** A constraint over several columns. */
  readonly constraint?: string;
  readonly isWithoutRowid?: boolean;
  /** Made from other rows, and again when it is missing. */
  readonly isDerived?: boolean;
}

function column(type: Column['type'], name: string, sql = 'NOT NULL', mostBytes = 0): Column {
  return { name, type, sql, mostBytes, isTime: /(^|_)ms$/.test(name) && name !== 'step_ms' };
}
const integer = (name: string, sql?: string): Column => column('integer', name, sql);
const real = (name: string): Column => column('real', name);
const text = (name: string, mostBytes = mostNameBytes, sql?: string): Column =>
  column('text', name, sql, mostBytes);
const blob = (name: string, mostBytes: number): Column => column('blob', name, undefined, mostBytes);

const primary = 'PRIMARY KEY';

/**
 * The tables of a run file; each has `crc` as its last column from format 2 on. `sample` holds what the last minutes
 * brought, committed once a second; whole minutes are packed into `block` (see `block.ts`). `meta` holds JSON by key
 * (see `meta.ts`).
 */
export const tables: Readonly<Record<TableName, Table>> = {
  meta: {
    name: 'meta',
    columns: [text('key', mostNameBytes, primary), text('value', mostMetaBytes)],
    key: ['key'],
    isWithoutRowid: true,
  },
  series: {
    name: 'series',
    columns: [integer('id', primary), text('node'), text('series')],
    key: ['id'],
    constraint: 'UNIQUE (node, series)',
  },
  sample: {
    name: 'sample',
    columns: [integer('time_ms'), integer('series_id'), real('value')],
    key: ['time_ms', 'series_id'],
    constraint: 'PRIMARY KEY (time_ms, series_id)',
    isWithoutRowid: true,
  },
  block: {
    name: 'block',
    columns: [integer('minute_ms', primary), integer('samples'), blob('data', mostPackedBytes)],
    key: ['minute_ms'],
  },
  event: {
    name: 'event',
    columns: [integer('id', primary), integer('time_ms'), text('value', mostJsonBytes)],
    key: ['id'],
  },
  still: {
    name: 'still',
    columns: [
      integer('id', primary),
      integer('time_ms'),
      text('cause'),
      text('mime'),
      blob('data', mostStillBytes),
    ],
    key: ['id'],
  },
  viewer: {
    name: 'viewer',
    columns: [text('tester'), text('job'), integer('viewer'), text('state'), text('value', mostJsonBytes)],
    key: ['tester', 'job', 'viewer'],
    constraint: 'PRIMARY KEY (tester, job, viewer)',
    isWithoutRowid: true,
  },
  annotation: {
    name: 'annotation',
    columns: [
      integer('id', primary),
      text('uid', mostNameBytes, 'NOT NULL UNIQUE'),
      text('value', mostJsonBytes),
    ],
    key: ['id'],
  },
  overview: {
    name: 'overview',
    columns: [integer('step_ms'), integer('from_ms'), blob('data', mostInflatedBytes)],
    key: ['step_ms', 'from_ms'],
    constraint: 'PRIMARY KEY (step_ms, from_ms)',
    isDerived: true,
  },
  figures: { name: 'figures', columns: [text('value', mostMetaBytes)], key: [], isDerived: true },
};

export const everyTable: readonly Table[] = Object.values(tables);
/** Tables that a file gets when there is something for them; the others it has from the beginning. */
const lazyTables = new Set<TableName>(['annotation', 'overview', 'figures']);
export const firstTables: readonly Table[] = everyTable.filter(({ name }) => !lazyTables.has(name));

/** The definition of a table in a format of the file. */
export function definition(table: Table, format: number): string {
  const columns = table.columns.map(({ name, type, sql }) => `${name} ${type.toUpperCase()} ${sql}`);
  const checksum = format > 1 ? ['crc INTEGER'] : [];
  const constraint = table.constraint === undefined ? [] : [table.constraint];
  return `CREATE TABLE ${table.name} (${[...columns, ...checksum, ...constraint].join(', ')})${
    table.isWithoutRowid === true ? ' WITHOUT ROWID' : ''
  }`;
}

/**
 * A column as it is safe to read: the type of a column binds SQLite only loosely, and the driver ends the process on
 * a text that is not UTF-8. So texts are read as bytes, and numbers as numbers whatever is there.
 */
export function readable({ name, type }: Pick<Column, 'name' | 'type'>): string {
  return `CAST(${name} AS ${type === 'integer' ? 'INTEGER' : type === 'real' ? 'REAL' : 'BLOB'})`;
}
