import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, readdirSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { runId } from '../../contract/schemas';
import { mergedText } from '../../domain/annotation';
import type { RunId } from '../../domain/run';
import { joinAnnotations } from './annotations';
import { Database, textAt } from './database';
import { readFailure, writeFailure } from './failure';
import { checkFileHeader, isCutOff } from './fileHeader';
import { mergedKept, readKept } from './kept';
import { findMeta, readMeta, writeMeta } from './meta';
import { recoverRunFile } from './recover';
import { salvageCutFile } from './salvage';
import { fileExtension } from './schema';

/** The folder that runs are imported into. */
export interface Place {
  readonly folder: string;
  path(id: RunId): string;
  /** Called with the path of each run file before SQLite opens it, of the imported one with where it was imported from. */
  onOpening(path: string): void;
  /** Whether the run is under way in this process. */
  isWritten(id: RunId): boolean;
}

interface Found {
  readonly id: RunId;
  readonly identity: string;
  readonly endedMs: number;
  readonly isRedacted: boolean;
}

/** A run's id in the folder, and one sentence where it was there already. */
export interface Imported {
  readonly id: RunId;
  readonly news?: string;
}

/** Copies a run's file into the folder. */
export function importRun(place: Place, path: string): Imported {
  const name = basename(path);
  const copy = join(place.folder, `.import-${randomUUID()}`);
  try {
    place.onOpening(path);
    const isCut = isCutOff(path, name);
    if (realpathSync(dirname(path)) === realpathSync(place.folder) && name.endsWith(fileExtension))
      return { id: name.slice(0, -fileExtension.length) };
    if (!isCut) copyFileSync(path, copy);
    // What is left of it is more than nothing; where it is nothing, the sentence says so.
    else if (!salvageCutFile(path, copy, name)) checkFileHeader(path, name);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const incoming = examine(copy, name);
    const original = incoming.isRedacted ? originalOf(place, incoming) : undefined;
    if (original !== undefined && !place.isWritten(original))
      return { id: original, news: joinNotes(place.path(original), copy, place.path(original)) };
    const id = freeId(place, incoming);
    const there = place.path(id);
    let news: string | undefined;
    if (existsSync(there)) {
      if (place.isWritten(id))
        return { id, news: 'This run is under way here; the file can come in when it has ended.' };
      if (identifyOwn(place, there).endedMs >= incoming.endedMs) {
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
    for (const beside of ['', '-wal', '-shm']) rmSync(copy + beside, { force: true });
  }
}

/** Gives the file that stays what people have written into both, this library's and the one that comes in. */
function joinKept(here: string, incoming: string, stays: string): void {
  const open = [new Database(here), new Database(incoming)] as const;
  try {
    const kept = mergedKept(readKept(open[0]), readKept(open[1]));
    const target = stays === here ? open[0] : open[1];
    if (JSON.stringify(kept) !== JSON.stringify(readKept(target))) writeMeta(target, 'kept', kept);
  } finally {
    for (const database of open) database.close();
  }
}

/** The same for the notes to the run; answers what came of it in a sentence. */
function joinNotes(here: string, incoming: string, stays: string): string {
  const open = [new Database(here), new Database(incoming)] as const;
  try {
    const { added, changed } = joinAnnotations(open[0], open[1], stays === here ? open[0] : open[1]);
    return mergedText(added, changed);
  } finally {
    for (const database of open) database.close();
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

/** Checks a copied file all through and closes it properly when its recording broke off: nobody writes a copy. */
function examine(copy: string, name: string): Found {
  const database = new Database(copy);
  try {
    const result = textAt(database.row('PRAGMA quick_check(1)') ?? [''], 0);
    if (result !== 'ok')
      throw new FullhouseError(
        'damaged-run',
        `${name} is damaged: a part of it does not hold together. Copy it again from where it was made.`,
        { cause: new Error(result) },
      );
    if (findMeta(database, 'writer') || readMeta(database, 'view').state !== 'ended')
      recoverRunFile(database);
  } finally {
    database.close();
  }
  return identify(copy);
}

/** A run of the folder itself. */
function identifyOwn(place: Place, path: string): Found {
  place.onOpening(path);
  return identify(path);
}

function identify(path: string): Found {
  const database = new Database(path);
  try {
    const view = readMeta(database, 'view');
    return {
      id: view.id,
      identity: readMeta(database, 'identity'),
      endedMs: view.endedMs ?? view.startedMs,
      isRedacted: findMeta(database, 'redacted') !== undefined,
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
export function exportRun(database: Database, path: string): { bytes: number } {
  const part = `${path}.part`;
  try {
    rmSync(part, { force: true });
    database.run('VACUUM INTO ?', part);
    const copy = new Database(part);
    try {
      if (findMeta(copy, 'writer')) recoverRunFile(copy);
    } finally {
      copy.close();
    }
    renameSync(part, path);
    return { bytes: statSync(path).size };
  } catch (error) {
    throw writeFailure(error, `The run can't be exported to ${path}`);
  } finally {
    rmSync(part, { force: true });
  }
}
