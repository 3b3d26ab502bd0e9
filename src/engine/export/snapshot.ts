import { createHash } from 'node:crypto';
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
import type { RunId } from '../../domain/model/run';
import { newRunId, type RunLibrary } from '../store';
import type { Database } from '../store/database';
import { changeRun } from '../store/manifest';
import { readMeta, writeMeta } from '../store/meta';
import { exportRun } from '../store/transfer';
import { changedRow, partsOf } from './snapshotTables';

/** What a copy of the run would reveal of the customer, and what each value would become. */
export function previewSnapshot(library: RunLibrary, run: RunId): IdentifyingValue[] {
  return library.withDatabase(run, (database) => {
    const parts = partsOf(database);
    return previewOf(parts, findIdentifying(parts));
  });
}

/** Replaces the run's values by the choice, for readers other than a copy. */
export function redactorOf(library: RunLibrary, run: RunId, choice: RedactionChoice): Redactor {
  return library.withDatabase(
    run,
    (database) => new Redactor(chosenValues(findIdentifying(partsOf(database)), choice)),
  );
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
    const chosen = chosenValues(found, choice);
    const redactor = new Redactor(chosen);
    const { bytes } = exportRun(source, path, {
      change: (table, values) =>
        table.name === 'still' && !redactor.keepsStill(Number(values[0]))
          ? undefined
          : changedRow(table, values, (value, at) => redactor.value(value, at)),
      finish: (copy) => nameAnew(copy, choice),
    });
    return { path, bytes, replaced: chosen.length };
  });
}

/** Gives the copy an id and a summary that do not reveal the customer either. */
function nameAnew(copy: Database, choice: RedactionChoice): void {
  changeRun(copy, () => {
    const id = snapshotId(copy, choice);
    const view = { ...readMeta(copy, 'view'), id };
    writeMeta(copy, 'view', view);
    writeMeta(copy, 'summary', { ...readMeta(copy, 'summary'), ...describeRun(view), id });
    writeMeta(copy, 'redacted', { keeps: [...choice.keepKinds] });
  });
}

/**
 * The old id contains the run's name. The suffix distinguishes this copy from the run itself and from copies that keep
 * other things.
 */
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
      `The run contains no ${missing.kind} "${missing.value}" to keep. Check the preview again.`,
    );
}
