import { createHash, randomUUID } from 'node:crypto';
import { renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import {
  chosenValues,
  findIdentifying,
  previewOf,
  Redactor,
  type IdentifyingValue,
  type RedactionChoice,
} from '../../domain/redaction';
import { describeRun } from '../../domain/compare/describeRun';
import type { RunId } from '../../domain/run';
import { newRunId, type RunLibrary } from '../store';
import { Database, numberAt, textAt } from '../store/database';
import { writeFailure } from '../store/failure';
import { readMeta, writeMeta } from '../store/meta';
import { changedRow, partsOf, quoted, tablesOf, type Table } from './snapshotTables';

/** What a copy of the run would tell of the customer, and what each of it would become. */
export function previewSnapshot(library: RunLibrary, run: RunId): IdentifyingValue[] {
  return library.withDatabase(run, (database) => {
    const parts = partsOf(database);
    return previewOf(parts, findIdentifying(parts));
  });
}

/** What replaces the run's values by the choice, for whoever reads it otherwise than as a copy. */
export function redactorOf(library: RunLibrary, run: RunId, choice: RedactionChoice): Redactor {
  return library.withDatabase(
    run,
    (database) => new Redactor(chosenValues(findIdentifying(partsOf(database)), choice)),
  );
}

/**
 * Writes a new run file without what the choice takes out; the samples are the same, byte for byte. It is put together row by row in a
 * fresh file, so that nothing of the old text is left in pages that nobody uses. Throws `run-not-written` and, for a choice that names
 * what is not there, `not-found`.
 */
export function writeSnapshot(
  library: RunLibrary,
  run: RunId,
  choice: RedactionChoice,
  path: string,
): { path: string; bytes: number; replaced: number } {
  const whole = join(library.folder, `.snapshot-${randomUUID()}`);
  const part = `${path}.part`;
  try {
    library.exportFile(run, whole);
    rmSync(part, { force: true });
    const replaced = copyRedacted(whole, part, choice);
    renameSync(part, path);
    return { path, bytes: statSync(path).size, replaced };
  } catch (error) {
    throw writeFailure(error, `The snapshot can't be written to ${path}`);
  } finally {
    for (const file of [whole, part])
      for (const beside of ['', '-wal', '-shm', '-journal']) rmSync(file + beside, { force: true });
  }
}

function copyRedacted(from: string, to: string, choice: RedactionChoice): number {
  const source = new Database(from);
  const target = new Database(to);
  try {
    const found = findIdentifying(partsOf(source));
    assertThere(choice, found);
    const chosen = chosenValues(found, choice);
    const redactor = new Redactor(chosen);
    target.run('ATTACH ? AS whole', from);
    const pragma = (name: string): number => numberAt(target.row(`PRAGMA whole.${name}`) ?? [0], 0);
    target.exec(
      `PRAGMA secure_delete = ON; PRAGMA application_id = ${pragma('application_id')}; PRAGMA user_version = ${pragma('user_version')};`,
    );
    const statements = target.rows(
      "SELECT sql FROM whole.sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' ORDER BY type DESC, rowid",
    );
    target.transaction(() => {
      for (const row of statements) target.exec(textAt(row, 0));
      for (const table of tablesOf(source)) copyTable(target, table, redactor);
      const id = snapshotId(target, choice);
      const view = { ...readMeta(target, 'view'), id };
      writeMeta(target, 'view', view);
      writeMeta(target, 'summary', { ...readMeta(target, 'summary'), ...describeRun(view), id });
      writeMeta(target, 'redacted', { keeps: [...choice.keepKinds] });
    });
    target.exec('DETACH whole');
    return chosen.length;
  } finally {
    source.close();
    target.close();
  }
}

function copyTable(target: Database, table: Table, redactor: Redactor): void {
  const name = quoted(table.name);
  if (!table.columns.some(({ isText }) => isText)) {
    // Samples: nothing in them is a text, and nothing of them is looked at.
    target.exec(`INSERT INTO main.${name} SELECT * FROM whole.${name}`);
    return;
  }
  const places = table.columns.map(() => '?').join(', ');
  const isStill = table.name === 'still';
  for (const row of target.rows(`SELECT * FROM whole.${name}`)) {
    if (isStill && !redactor.keepsStill(numberAt(row, 0))) continue;
    target.run(
      `INSERT INTO main.${name} VALUES (${places})`,
      ...changedRow(table, row, (value, path) => redactor.value(value, path)),
    );
  }
}

/** The old id has the run's name in it. The end tells this copy from the run itself and from copies that keep other things. */
function snapshotId(database: Database, choice: RedactionChoice): RunId {
  const view = readMeta(database, 'view');
  const mark = createHash('sha256')
    .update(JSON.stringify([readMeta(database, 'identity'), choice]))
    .digest('hex');
  return newRunId(view.name, view.startedMs, () => `s${mark.slice(0, 6)}`);
}

function assertThere(
  choice: RedactionChoice,
  found: readonly { readonly kind: string; readonly value: string }[],
): void {
  const missing = choice.keep.find(
    ({ kind, value }) => !found.some((each) => each.kind === kind && each.value === value),
  );
  if (missing)
    throw new FullhouseError(
      'not-found',
      `The run holds no ${missing.kind} "${missing.value}", so it can't be kept. Look at the preview again.`,
    );
}
