import { existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { runId } from '../../contract/schemas';
import { mergedText } from '../../domain/annotation';
import type { RunId } from '../../domain/run';
import { joinAnnotations } from './annotations';
import type { Database } from './database';
import { readFailure, writeFailure } from './failure';
import { privateTempFolder } from '../tempFolder';
import { checkFileHeader, isCutOff } from './fileHeader';
import { mergedKept, readKept } from './kept';
import { writerLives } from './lock';
import { changeRun } from './manifest';
import { readMeta, soundMeta, writeMeta } from './meta';
import { openRunFile } from './openRunFile';
import type { RowChange } from './rebuild';
import { copyRun, takeIn } from './salvage';
import { fileExtension } from './schema';

/** The folder that runs are imported into. */
export interface Place {
  readonly folder: string;
  path(id: RunId): string;
  /** Called with the path of each run file before SQLite opens it, of the imported one with where it was imported from. */
  onOpening(path: string): void;
}

interface Found {
  readonly id: RunId;
  readonly identity: string;
  readonly endedMs: number;
  readonly isRedacted: boolean;
  /** A process that still runs, this one or another, records it. */
  readonly isUnderWay: boolean;
}

/** A run's id in the folder, and one sentence where it was there already. */
export interface Imported {
  readonly id: RunId;
  readonly news?: string;
}

/** Copies a run's file into the folder; with `mayRun` a run that is still recorded says so. */
export function importRun(place: Place, path: string, mayRun = false): Imported {
  const name = basename(path);
  // In the folder of runs, so that it can be moved to its place; a killed process's folder is swept by the next.
  const work = privateTempFolder(place.folder);
  const copy = join(work.path, 'import');
  try {
    place.onOpening(path);
    isCutOff(path, name);
    if (realpathSync(dirname(path)) === realpathSync(place.folder) && name.endsWith(fileExtension))
      return { id: name.slice(0, -fileExtension.length) };
    takeInWhole(path, copy, name, mayRun);
    const incoming = identify(copy, name);
    const original = incoming.isRedacted ? originalOf(place, incoming) : undefined;
    if (original !== undefined && !identifyOwn(place, place.path(original)).isUnderWay)
      return { id: original, news: joinNotes(place.path(original), copy, place.path(original)) };
    const id = freeId(place, incoming);
    const there = place.path(id);
    let news: string | undefined;
    if (existsSync(there)) {
      const known = identifyOwn(place, there);
      if (known.isUnderWay)
        return { id, news: 'This run is under way here; the file can come in when it has ended.' };
      if (known.endedMs >= incoming.endedMs) {
        joinKept(there, copy, there);
        return { id, news: joinNotes(there, copy, there) };
      }
      joinKept(there, copy, copy);
      joinNotes(there, copy, copy);
      news = 'The file holds a longer recording of a run that was already here, and took its place.';
      rmSync(there);
    }
    renameSync(copy, there);
    return { id, news };
  } catch (error) {
    throw readFailure(error, name);
  } finally {
    work.remove();
  }
}

/** What is left of a file is more than nothing; where it is nothing, the sentence says why. */
function takeInWhole(path: string, copy: string, name: string, mayRun: boolean): void {
  try {
    takeIn(path, copy, name, mayRun);
  } catch (error) {
    checkFileHeader(path, name);
    if (error instanceof FullhouseError || isSystemError(error)) throw error;
    throw new FullhouseError(
      'damaged-run',
      `${name} is damaged: a part of it does not hold together. Copy it again from where it was made.`,
      { cause: error },
    );
  }
}

/** Of a file that can't be reached, or a disk that is full. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** Gives the file that stays what people have written into both, this library's and the one that comes in. */
function joinKept(here: string, incoming: string, stays: string): void {
  withBoth(here, incoming, (own, other) => {
    const kept = mergedKept(readKept(own), readKept(other));
    const target = stays === here ? own : other;
    if (JSON.stringify(kept) !== JSON.stringify(readKept(target)))
      changeRun(target, () => writeMeta(target, 'kept', kept));
  });
}

/** The same for the notes to the run; answers what came of it in a sentence. */
function joinNotes(here: string, incoming: string, stays: string): string {
  return withBoth(here, incoming, (own, other) => {
    const { added, changed } = joinAnnotations(own, other, stays === here ? own : other);
    return mergedText(added, changed);
  });
}

function withBoth<T>(here: string, incoming: string, use: (own: Database, other: Database) => T): T {
  const own = openRunFile(here, basename(here));
  try {
    const other = openRunFile(incoming, basename(incoming));
    try {
      return use(own, other);
    } finally {
      other.close();
    }
  } finally {
    own.close();
  }
}

/** The run that a snapshot without names was made of, where it is in the folder: what support wrote belongs to it. */
function originalOf(place: Place, { identity }: Found): RunId | undefined {
  const ids = readdirSync(place.folder)
    .filter((name) => name.endsWith(fileExtension))
    .map((name) => name.slice(0, -fileExtension.length))
    .filter((id) => runId.safeParse(id).success);
  return ids.find((id) => {
    try {
      checkFileHeader(place.path(id), id);
      const found = identifyOwn(place, place.path(id));
      return found.identity === identity && !found.isRedacted;
    } catch {
      // A damaged run in the folder is told of in the list; it is no reason to refuse another one.
      return false;
    }
  });
}

/** A run of the folder itself. */
function identifyOwn(place: Place, path: string): Found {
  place.onOpening(path);
  return identify(path, basename(path));
}

function identify(path: string, name: string): Found {
  const database = openRunFile(path, name);
  try {
    const view = readMeta(database, 'view');
    const writer = soundMeta(database, 'writer');
    return {
      id: view.id,
      identity: readMeta(database, 'identity'),
      endedMs: view.endedMs ?? view.startedMs,
      isRedacted: soundMeta(database, 'redacted') !== undefined,
      isUnderWay: writer !== undefined && writerLives(writer),
    };
  } finally {
    database.close();
  }
}

/** The run's own id, unless another run has it here. */
function freeId(place: Place, incoming: Found): RunId {
  const isFree = (id: RunId): boolean =>
    !existsSync(place.path(id)) || identifyOwn(place, place.path(id)).identity === incoming.identity;
  if (isFree(incoming.id)) return incoming.id;
  for (let i = 2; ; i += 1) {
    const id = runId.parse(`${incoming.id.slice(0, 110)}-${i}`);
    if (isFree(id)) return id;
  }
}

/** Writes the run that `database` holds as one file at `path`, replacing what is there. */
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
