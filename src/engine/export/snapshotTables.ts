import type { PartOfRun } from '../../domain/redaction';
import { numberAt, textAt, type Database, type SqlValue } from '../store/database';
import { everyTable, readable, tables, type Table } from '../store/tables';
import { rowValues } from '../store/rows';
import { walkTable } from '../store/walk';

/** The value of a text column, JSON parsed; and its position in the run. */
function readText(
  table: Table,
  values: readonly SqlValue[],
  column: number,
): { path: string[]; value: unknown; isJson: boolean } {
  const text = String(values[column]);
  const key = table.name === 'meta' ? String(values[0]) : undefined;
  const name = table.columns[column]?.name ?? '';
  if (name === 'value')
    try {
      const value: unknown = JSON.parse(text);
      return { path: [key ?? table.name], value, isJson: true };
    } catch {
      // Plain text then.
    }
  return { path: [key ?? table.name, name], value: text, isJson: false };
}

/** The columns whose texts are searched. The key of a row in `meta` is the program's own. */
const isText = ({ columns }: Table, column: number): boolean =>
  columns[column]?.type === 'text' && columns[column].name !== 'key';

/** The row with every text of it replaced. */
export function changedRow(
  table: Table,
  values: readonly SqlValue[],
  change: (value: unknown, path: readonly string[]) => unknown,
): SqlValue[] {
  return values.map((cell, column) => {
    if (!isText(table, column)) return cell;
    const { path, value, isJson } = readText(table, values, column);
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

/** Every text of a run file, part by part: all that is searched for what could identify the customer. */
export function partsOf(database: Database): PartOfRun[] {
  const stills = { part: 'stills', value: stillsOf(database) } as const;
  const parts: PartOfRun[] = [stills];
  for (const table of everyTable) {
    if (table.name === 'still' || !table.columns.some((_, column) => isText(table, column))) continue;
    walkTable(database, table, (row) => {
      const values = rowValues(database, table, row);
      values.forEach((_, column) => {
        if (!isText(table, column)) return;
        const { path, value } = readText(table, values, column);
        parts.push(...partsAt(table.name, path, value));
      });
    });
  }
  return parts.sort((a, b) => order(a) - order(b));
}

/** Without their images, which are not searched. */
function stillsOf(database: Database): Array<{ id: number; cause: string }> {
  const [id, , cause] = tables.still.columns;
  if (!id || !cause) return [];
  return database
    .rows(`SELECT ${readable(id)}, ${readable(cause)} FROM still`)
    .map((row) => ({ id: numberAt(row, 0), cause: textAt(row, 1) }));
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
