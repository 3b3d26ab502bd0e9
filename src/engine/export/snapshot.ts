import { createHash } from 'node:crypto';
import { FullhouseError } from '../../contract/calls';
import {
  findIdentifying,
  previewOf,
  Redactor,
  type FoundValue,
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
      ({ kind, value }) => kind === 'still' && !choice.keep.some((each) => each.kind === kind && each.value === value),
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
    ({ kind, value }) => !found.some((each) => each.kind === kind && each.value === value),
  );
  if (missing)
    throw new FullhouseError(
      'not-found',
      `The run contains no ${missing.kind} "${missing.value}" to keep. Check the preview again.`,
    );
}
