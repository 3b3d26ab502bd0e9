import { existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { runId } from '../../domain/model/schema';
import { mergedText, newerAnnotations } from '../../domain/run/annotation';
import type { RunId } from '../../domain/model/run';
import { saveAnnotations, readAnnotations } from './annotations';
import type { Database } from './database';
import { readFailure, writeFailure } from './failure';
import { privateTempFolder } from '../base/tempFolder';
import { checkFileHeader, isTruncated } from './fileHeader';
import { mergedUserData, readSaved } from './userData';
import { writerLives } from '../base/lock';
import { changeRun } from './manifest';
import { readMeta, soundMeta, writeMeta } from './meta';
import type { RowChange } from './rebuild';
import { copyRun, salvageFile } from './salvage';
import { fileExtension } from './id';
import type { Imported } from './types';
import { changeRunFile, withRunFile } from './upgrade';

/** The folder that runs are imported into. */
export interface ImportFolder {
  readonly folder: string;
  path(id: RunId): string;
  /** Called with the path of each run file before SQLite opens it; for an imported file with its original path. */
  onOpening(path: string): void;
}

interface Found {
  readonly id: RunId;
  readonly identity: string;
  readonly endedMs: number;
  readonly isRedacted: boolean;
  /** A running process, this one or another, records it. */
  readonly isActive: boolean;
}

/** Copies a run's file into the folder; with `mayRun` a run that is still recorded is marked as running. */
export function importRun(place: ImportFolder, path: string, mayRun = false): Imported {
  const name = basename(path);
  // In the folder of runs, so that it can be renamed into place; the next process removes the folder of a killed one.
  const work = privateTempFolder(place.folder);
  const copy = join(work.path, 'import');
  try {
    place.onOpening(path);
    isTruncated(path, name);
    if (realpathSync(dirname(path)) === realpathSync(place.folder) && name.endsWith(fileExtension))
      return { id: name.slice(0, -fileExtension.length) };
    takeInWhole(path, copy, name, mayRun);
    const incoming = identify(copy);
    const original = incoming.isRedacted ? originalOf(place, incoming) : undefined;
    if (original !== undefined && !identifyOwn(place, place.path(original)).isActive) {
      const there = place.path(original);
      return { id: original, outcome: joinNotes(there, copy, there), isSnapshot: true };
    }
    const id = freeId(place, incoming);
    const there = place.path(id);
    let outcome: string | undefined;
    if (existsSync(there)) {
      const known = identifyOwn(place, there);
      if (known.isActive) return { id, outcome: 'This run is active; the file can be imported when it has ended.' };
      if (known.endedMs >= incoming.endedMs) {
        joinKept(there, copy, there);
        return { id, outcome: joinNotes(there, copy, there) };
      }
      joinKept(there, copy, copy);
      joinNotes(there, copy, copy);
      outcome = 'The file contains a longer recording of an existing run and replaced it.';
      rmSync(there);
    }
    renameSync(copy, there);
    return { id, outcome, isWritten: true };
  } catch (error) {
    throw readFailure(error, name);
  } finally {
    work.remove();
  }
}

/** A part of a file is better than nothing; if nothing is left, the sentence contains the reason. */
function takeInWhole(path: string, copy: string, name: string, mayRun: boolean): void {
  try {
    salvageFile(path, copy, name, mayRun);
  } catch (error) {
    checkFileHeader(path, name);
    if (error instanceof FullhouseError || isSystemError(error)) throw error;
    throw new FullhouseError(
      'damaged-run',
      `${name} is damaged: parts of it are inconsistent. Copy it again from its source.`,
      { cause: error },
    );
  }
}

/** An unreachable file, or a full disk. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Merges the user data of both files, this library's and the imported one, into the file that stays. */
function joinKept(here: string, incoming: string, stays: string): void {
  const merged = mergedUserData(withRunFile(here, readSaved), withRunFile(incoming, readSaved));
  if (JSON.stringify(merged) !== JSON.stringify(withRunFile(stays, readSaved)))
    changeRunFile(stays, (database) => changeRun(database, () => writeMeta(database, 'kept', merged)));
}

/** Merges the notes to the run into the file that stays; returns the outcome in a sentence. */
function joinNotes(here: string, incoming: string, stays: string): string {
  const [known, come] = [withRunFile(here, readAnnotations), withRunFile(incoming, readAnnotations)];
  const additions = newerAnnotations(known, come);
  const missing = stays === here ? additions : newerAnnotations(come, known);
  const changedAnnotations = [...missing.added, ...missing.changed];
  if (changedAnnotations.length > 0) changeRunFile(stays, (database) => saveAnnotations(database, changedAnnotations));
  // Marks of removed notes are not counted as added.
  return mergedText(additions.added.filter(({ isRemoved }) => isRemoved !== true).length, additions.changed.length);
}

/** The run that a redacted snapshot was made of, if it is in the folder: notes of support belong to it. */
function originalOf(place: ImportFolder, { identity }: Found): RunId | undefined {
  const ids = readdirSync(place.folder)
    .filter((name) => name.endsWith(fileExtension))
    .map((name) => name.slice(0, -fileExtension.length))
    .filter((id) => runId.safeParse(id).success);
  return ids.find((id) => {
    try {
      checkFileHeader(place.path(id), id);
      const identified = identifyOwn(place, place.path(id));
      return identified.identity === identity && !identified.isRedacted;
    } catch {
      // A damaged run in the folder is reported in the list; it is no reason to refuse another one.
      return false;
    }
  });
}

/** A run of the folder itself. */
function identifyOwn(place: ImportFolder, path: string): Found {
  place.onOpening(path);
  return identify(path);
}

function identify(path: string): Found {
  return withRunFile(path, (database) => {
    const view = readMeta(database, 'view');
    const writer = soundMeta(database, 'writer');
    return {
      id: view.id,
      identity: readMeta(database, 'identity'),
      endedMs: view.endedMs ?? view.startedMs,
      isRedacted: soundMeta(database, 'redacted') !== undefined,
      isActive: writer !== undefined && writerLives(writer),
    };
  });
}

/** The run's own id, unless another run in the folder has it. */
function freeId(place: ImportFolder, incoming: Found): RunId {
  const isFree = (id: RunId): boolean =>
    !existsSync(place.path(id)) || identifyOwn(place, place.path(id)).identity === incoming.identity;
  if (isFree(incoming.id)) return incoming.id;
  for (let i = 2; ; i += 1) {
    const id = runId.parse(`${incoming.id.slice(0, 110)}-${i}`);
    if (isFree(id)) return id;
  }
}

/** Writes the run that `database` contains as one file at `path`, replacing an existing one. */
export function exportRun(
  database: Database,
  path: string,
  changes: { readonly change?: RowChange; readonly finish?: (copy: Database) => void } = {},
): { bytes: number } {
  const part = `${path}.part`;
  try {
    copyRun(database, part, changes);
    renameSync(part, path);
    return { bytes: statSync(path).size };
  } catch (error) {
    throw writeFailure(error, `The run can't be exported to ${path}`);
  } finally {
    for (const beside of ['', '-wal', '-shm', '-journal']) rmSync(part + beside, { force: true });
  }
}
