import { createHash } from 'node:crypto';
import { FullhouseError } from '../../contract/calls';
import {
  columnRules,
  findIdentifying,
  type FoundValue,
  type IdentifyingValue,
  metaShapes,
  type PartOfRun,
  previewOf,
  type RedactionChoice,
  Redactor,
  type Shape,
  stillShape,
  valueShapes,
  viewShape,
} from '../../domain/redaction';
import { describeRun } from '../../domain/compare/describeRun';
import type { RunId } from '../../domain/model/run';
import { newRunId, type RunLibrary } from '../store';
import { type Database, numberAt, type SqlValue, textAt } from '../store/database';
import { changeRun } from '../store/manifest';
import { readMeta, writeMeta } from '../store/meta';
import { rowValues } from '../store/rows';
import { everyTable, readable, type Table, tables } from '../store/tables';
import { exportRun } from '../store/transfer';
import { walkTable } from '../store/walk';

/** What a copy of the run would reveal of the customer, and what each value would become. */
export function previewSnapshot(library: RunLibrary, run: RunId): IdentifyingValue[] {
  return library.withDatabase(run, (database) => {
    const parts = partsOf(database);
    return previewOf(parts, findIdentifying(parts));
  });
}

/** Replaces the run's values by the choice, for readers other than a copy. */
export function redactorOf(library: RunLibrary, run: RunId, choice: RedactionChoice): Redactor {
  return library.withDatabase(run, (database) => new Redactor(findIdentifying(partsOf(database)), choice));
}

/**
 * Writes a new run file without what the choice removes; the samples are the same, byte for byte. It is built row by
 * row in a new file, so that nothing of the old text remains in unused pages. Throws `run-not-written` and, for a
 * choice that names a value that does not exist, `not-found`.
 */
export function writeSnapshot(
  library: RunLibrary,
  run: RunId,
  choice: RedactionChoice,
  path: string,
): { path: string; bytes: number; replaced: number } {
  return library.withDatabase(run, (source) => {
    const found = findIdentifying(partsOf(source));
    assertThere(choice, found);
    const replaced = new Set<FoundValue>();
    const { name, startedMs } = readMeta(source, 'view');
    const names = new Redactor(found, choice);
    const redactor = new Redactor(found, choice, {
      runId: snapshotId(source, names.field(name, 'name'), startedMs, choice),
      onReplace: (value) => replaced.add(value),
    });
    const { bytes } = exportRun(source, path, {
      change: (table, values) =>
        table.name === 'still' && !redactor.keepsStill(Number(values[0]))
          ? undefined
          : changedRow(table, values, (value, shape) => redactor.value(value, shape)),
      finish: (copy) => describe(copy, choice),
    });
    const stills = found.filter(
      ({ kind, value }) =>
        kind === 'still' && !choice.keep.some((entry) => entry.kind === kind && entry.value === value),
    );
    return { path, bytes, replaced: replaced.size + (choice.keepKinds.includes('still') ? 0 : stills.length) };
  });
}

/** The row of the runs list follows from the copy's own view. */
function describe(copy: Database, choice: RedactionChoice): void {
  // What a row contained before must not remain in the file's unused bytes.
  copy.exec('PRAGMA secure_delete = ON');
  changeRun(copy, () => {
    const view = readMeta(copy, 'view');
    writeMeta(copy, 'summary', { ...readMeta(copy, 'summary'), ...describeRun(view), id: view.id });
    writeMeta(copy, 'redacted', { keeps: [...choice.keepKinds] });
  });
}

/**
 * The old id contains the run's name. The suffix distinguishes this copy from the run itself and from copies that keep
 * other things.
 */
function snapshotId(source: Database, name: string, startedMs: number, choice: RedactionChoice): RunId {
  const mark = createHash('sha256')
    .update(JSON.stringify([readMeta(source, 'identity'), choice]))
    .digest('hex');
  return newRunId(name, startedMs, () => `s${mark.slice(0, 6)}`);
}

function assertThere(
  choice: RedactionChoice,
  found: readonly { readonly kind: string; readonly value: string }[],
): void {
  const missing = choice.keep.find(
    ({ kind, value }) => !found.some((entry) => entry.kind === kind && entry.value === value),
  );
  if (missing)
    throw new FullhouseError(
      'not-found',
      `The run contains no ${missing.kind} "${missing.value}" to keep. Check the preview again.`,
    );
}

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
function changedRow(
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
function partsOf(database: Database): PartOfRun[] {
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
