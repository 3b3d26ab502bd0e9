import {
  maxInflatedBytes,
  maxJsonBytes,
  maxMetaBytes,
  maxNameBytes,
  maxPackedBytes,
  type maxRows,
  maxStillBytes,
} from './bounds';

export interface Column {
  readonly name: string;
  readonly type: 'integer' | 'real' | 'text' | 'blob';
  /** The rest of its definition. */
  readonly sql: string;
  /** For texts and blobs. */
  readonly maxBytes: number;
  /** The column contains a time, Unix ms. */
  readonly isTime: boolean;
}

export type TableName = keyof typeof maxRows;

/** A table of a run file: its definition, its limits and how its rows are found. */
export interface Table {
  readonly name: TableName;
  readonly columns: readonly Column[];
  /** Columns that identify a row, the first of them in the order of the file. None: the table has one row. */
  readonly key: readonly string[];
  /** A constraint over several columns. */
  readonly constraint?: string;
  readonly isWithoutRowid?: boolean;
  /** Derived from other rows, and created again when missing. */
  readonly isDerived?: boolean;
}

function column(type: Column['type'], name: string, sql = 'NOT NULL', maxBytes = 0): Column {
  return { name, type, sql, maxBytes, isTime: /(^|_)ms$/.test(name) && name !== 'step_ms' };
}
const integer = (name: string, sql?: string): Column => column('integer', name, sql);
const real = (name: string): Column => column('real', name);
const text = (name: string, maxBytes = maxNameBytes, sql?: string): Column => column('text', name, sql, maxBytes);
const blob = (name: string, maxBytes: number): Column => column('blob', name, undefined, maxBytes);

const primary = 'PRIMARY KEY';

/**
 * The tables of a run file; each has `crc` as its last column from format 2 on. `sample` contains the last minutes,
 * committed once a second; complete minutes are packed into `block` (see `block.ts`). Likewise `histogram` and
 * `histogram_block` (see `histograms.ts`). `meta` contains JSON by key (see `meta.ts`).
 */
export const tables: Readonly<Record<TableName, Table>> = {
  meta: {
    name: 'meta',
    columns: [text('key', maxNameBytes, primary), text('value', maxMetaBytes)],
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
    columns: [integer('minute_ms', primary), integer('samples'), blob('data', maxPackedBytes)],
    key: ['minute_ms'],
  },
  histogram: {
    name: 'histogram',
    columns: [integer('time_ms'), integer('audience'), text('distribution'), blob('data', maxPackedBytes)],
    key: ['time_ms', 'audience', 'distribution'],
    constraint: 'PRIMARY KEY (time_ms, audience, distribution)',
    isWithoutRowid: true,
  },
  histogram_block: {
    name: 'histogram_block',
    columns: [integer('minute_ms', primary), blob('whole', maxPackedBytes), blob('seconds', maxPackedBytes)],
    key: ['minute_ms'],
  },
  event: {
    name: 'event',
    columns: [integer('id', primary), integer('time_ms'), text('value', maxJsonBytes)],
    key: ['id'],
  },
  still: {
    name: 'still',
    columns: [integer('id', primary), integer('time_ms'), text('cause'), text('mime'), blob('data', maxStillBytes)],
    key: ['id'],
  },
  viewer: {
    name: 'viewer',
    columns: [text('tester'), text('job'), integer('viewer'), text('state'), text('value', maxJsonBytes)],
    key: ['tester', 'job', 'viewer'],
    constraint: 'PRIMARY KEY (tester, job, viewer)',
    isWithoutRowid: true,
  },
  annotation: {
    name: 'annotation',
    columns: [integer('id', primary), text('uid', maxNameBytes, 'NOT NULL UNIQUE'), text('value', maxJsonBytes)],
    key: ['id'],
  },
  overview: {
    name: 'overview',
    columns: [integer('step_ms'), integer('from_ms'), blob('data', maxInflatedBytes)],
    key: ['step_ms', 'from_ms'],
    constraint: 'PRIMARY KEY (step_ms, from_ms)',
    isDerived: true,
  },
  figures: { name: 'figures', columns: [text('value', maxMetaBytes)], key: [], isDerived: true },
};

export const everyTable: readonly Table[] = Object.values(tables);
/** Tables that are created on demand; the others exist from the start. */
const lazyTables = new Set<TableName>(['annotation', 'overview', 'figures', 'histogram', 'histogram_block']);
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
 * A column in a form that is safe to read: SQLite does not enforce column types, and the driver ends the process on a
 * text that is not UTF-8. So texts are read as bytes, and numbers as numbers whatever the column contains.
 */
export function readable({ name, type }: Pick<Column, 'name' | 'type'>): string {
  return `CAST(${name} AS ${type === 'integer' ? 'INTEGER' : type === 'real' ? 'REAL' : 'BLOB'})`;
}
