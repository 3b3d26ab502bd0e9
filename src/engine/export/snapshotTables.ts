import {
  columnRules,
  metaShapes,
  stillShape,
  valueShapes,
  viewShape,
  type PartOfRun,
  type Shape,
} from '../../domain/redaction';
import { numberAt, textAt, type Database, type SqlValue } from '../store/database';
import { everyTable, readable, tables, type Table } from '../store/tables';
import { rowValues } from '../store/rows';
import { walkTable } from '../store/walk';

interface CellText {
  readonly value: unknown;
  readonly shape: Shape;
  readonly isJson: boolean;
}

/** The text in a column, JSON parsed, with its shape; undefined in a column of numbers or bytes. */
function readText(table: Table, values: readonly SqlValue[], column: number): CellText | undefined {
  const { name, type } = table.columns[column] ?? { name: '', type: 'blob' };
  if (type !== 'text') return undefined;
  const text = String(values[column]);
  if (name !== 'value') return { value: text, shape: columnRules[table.name]?.[name] ?? 'foreign', isJson: false };
  const shape = (table.name === 'meta' ? metaShapes[String(values[0])] : valueShapes[table.name]) ?? 'foreign';
  try {
    return { value: JSON.parse(text), shape, isJson: true };
  } catch {
    // A damaged row: nothing in it can be told apart.
    return { value: text, shape: 'foreign', isJson: false };
  }
}

/** Rows of `meta` that a copy has. The mark of the writer names its machine. */
const isCopied = ({ name }: Table, values: readonly SqlValue[]): boolean =>
  name !== 'meta' || metaShapes[String(values[0])] !== undefined;

/** The row with every text of it replaced; undefined if a copy has no such row. */
export function changedRow(
  table: Table,
  values: readonly SqlValue[],
  change: (value: unknown, shape: Shape) => unknown,
): SqlValue[] | undefined {
  if (!isCopied(table, values)) return undefined;
  return values.map((cell, column) => {
    const read = readText(table, values, column);
    if (!read) return cell;
    const changed = change(read.value, read.shape);
    return read.isJson ? JSON.stringify(changed) : String(changed);
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
  const parts: PartOfRun[] = [{ part: 'stills', value: stillsOf(database), shape: stillShape }];
  for (const table of everyTable) {
    if (table.name === 'still' || !table.columns.some(({ type }) => type === 'text')) continue;
    walkTable(database, table, (row) => {
      const values = rowValues(database, table, row);
      if (!isCopied(table, values)) return;
      values.forEach((_, column) => {
        const read = readText(table, values, column);
        if (read) parts.push(...partsAt(table, values, read));
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

function partsAt(table: Table, values: readonly SqlValue[], { value, shape }: CellText): PartOfRun[] {
  if (table.name === 'meta' && values[0] === 'view' && typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, each]): PartOfRun[] => {
      const field = Object.hasOwn(viewShape.fields, key) ? viewShape.fields[key] : undefined;
      return field === undefined ? [] : [{ part: partOfView[key] ?? 'rest', value: each as unknown, shape: field }];
    });
  return [{ part: partOfTable[table.name] ?? 'rest', value, shape }];
}
