import type { PartOfRun } from '../../domain/redaction';
import { numberAt, textAt, type Database, type Row, type SqlValue } from '../store/database';

/** A table of a run file. */
export interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly isText: boolean }[];
}

/** The tables of a file, those of versions to come included; `schema` is `main` or an attached file. */
export function tablesOf(database: Database, schema = 'main'): Table[] {
  return database
    .rows(
      `SELECT name FROM ${schema}.sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY rowid`,
    )
    .map((row) => {
      const name = textAt(row, 0);
      const columns = database.rows(`PRAGMA ${schema}.table_info(${quoted(name)})`).map((column) => ({
        name: textAt(column, 1),
        isText: /CHAR|CLOB|TEXT|JSON|^$/i.test(textAt(column, 2)),
      }));
      return { name, columns };
    });
}

export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A text column as the value that it stands for, JSON read; and where it stands in the run. */
function readText(
  table: Table,
  row: Row,
  column: number,
): { path: string[]; value: unknown; isJson: boolean } {
  const text = textAt(row, column);
  const key = table.columns[0]?.name === 'key' ? textAt(row, 0) : undefined;
  const name = table.columns[column]?.name ?? '';
  if (name === 'value' || key !== undefined)
    try {
      const value: unknown = JSON.parse(text);
      return { path: [key ?? table.name], value, isJson: true };
    } catch {
      // Plain text then.
    }
  return { path: [key ?? table.name, name], value: text, isJson: false };
}

/** The row with every text of it changed. */
export function changedRow(
  table: Table,
  row: Row,
  change: (value: unknown, path: readonly string[]) => unknown,
): SqlValue[] {
  return row.map((cell, column) => {
    // What a row is found by in `meta` is a word of the program's own.
    if (typeof cell !== 'string' || table.columns[column]?.name === 'key') return cell;
    const { path, value, isJson } = readText(table, row, column);
    const changed = change(value, path);
    return isJson ? JSON.stringify(changed) : String(changed);
  });
}

const partOfTable: Readonly<Record<string, PartOfRun['part']>> = {
  event: 'events',
  annotation: 'events',
  viewer: 'viewers',
  still: 'stills',
  series: 'nodes',
};
const partOfView: Readonly<Record<string, PartOfRun['part']>> = {
  plan: 'plan',
  nodes: 'nodes',
  failures: 'failures',
  verdict: 'verdict',
  testerLimits: 'verdict',
  preflight: 'preflight',
  limit: 'limit',
};

/** Every text of a run file, part by part: what is looked through for what could tell who the customer is. */
export function partsOf(database: Database): PartOfRun[] {
  const parts: PartOfRun[] = [];
  for (const table of tablesOf(database)) {
    if (!table.columns.some(({ isText }) => isText)) continue;
    const isStill = table.name === 'still';
    const columns = isStill ? table.columns.filter(({ name }) => name !== 'data') : table.columns;
    const rows = database.rows(
      `SELECT ${columns.map(({ name }) => quoted(name)).join(', ')} FROM ${quoted(table.name)}`,
    );
    if (isStill) {
      const cause = columns.findIndex(({ name }) => name === 'cause');
      parts.push({
        part: 'stills',
        value: rows.map((row) => ({ id: numberAt(row, 0), cause: textAt(row, cause) })),
      });
      continue;
    }
    for (const row of rows)
      columns.forEach((_, column) => {
        if (typeof row[column] !== 'string' || columns[column]?.name === 'key') return;
        const { path, value } = readText({ ...table, columns }, row, column);
        parts.push(...partsAt(table.name, path, value));
      });
  }
  return parts.sort((a, b) => order(a) - order(b));
}

const order = ({ part }: PartOfRun): number => ['plan', 'nodes'].indexOf(part) + 1 || 3;

function partsAt(table: string, path: readonly string[], value: unknown): PartOfRun[] {
  if (path[0] === 'view' && typeof value === 'object' && value !== null)
    return Object.entries(value).map(([key, each]): PartOfRun => {
      const part = partOfView[key] ?? 'rest';
      return { part, value: each as unknown, path: part === key ? undefined : ['view', key] };
    });
  return [{ part: partOfTable[table] ?? 'rest', value, path }];
}
