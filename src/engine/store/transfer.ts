import { randomUUID } from 'node:crypto';
import { copyFileSync, existsSync, realpathSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { runId } from '../../contract/schemas';
import type { RunId } from '../../domain/run';
import { Database, textAt } from './database';
import { readFailure, writeFailure } from './failure';
import { checkFileHeader } from './fileHeader';
import { mergedKept, readKept } from './kept';
import { findMeta, readMeta, writeMeta } from './meta';
import { recoverRunFile } from './recover';
import { fileExtension } from './schema';

interface Place {
  readonly folder: string;
  path(id: RunId): string;
}

interface Found {
  readonly id: RunId;
  readonly identity: string;
  readonly endedMs: number;
}

/** Copies a run's file into the folder and returns its id there. `isWritten` tells which runs are under way in this process. */
export function importRun(place: Place, path: string, isWritten: (id: RunId) => boolean): RunId {
  const name = basename(path);
  const copy = join(place.folder, `.import-${randomUUID()}`);
  try {
    checkFileHeader(path, name);
    if (realpathSync(dirname(path)) === realpathSync(place.folder) && name.endsWith(fileExtension))
      return name.slice(0, -fileExtension.length);
    copyFileSync(path, copy);
    if (existsSync(`${path}-wal`)) copyFileSync(`${path}-wal`, `${copy}-wal`);
    const incoming = examine(copy, name);
    const id = freeId(place, incoming);
    const there = place.path(id);
    if (existsSync(there)) {
      if (isWritten(id)) return id;
      if (identify(there).endedMs >= incoming.endedMs) {
        joinKept(there, copy, there);
        return id;
      }
      joinKept(there, copy, copy);
      rmSync(there);
    }
    renameSync(copy, there);
    return id;
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

/** Checks a copied file all through and closes it properly when its recording broke off: nobody writes a copy. */
function examine(copy: string, name: string): Found {
  const database = new Database(copy);
  try {
    const result = textAt(database.row('PRAGMA quick_check(1)') ?? [''], 0);
    if (result !== 'ok')
      throw new FullhouseError(
        'damaged-run',
        `${name} is damaged (${result}). Copy it again from where it was made.`,
      );
    if (findMeta(database, 'writer') || readMeta(database, 'view').state !== 'ended')
      recoverRunFile(database);
  } finally {
    database.close();
  }
  return identify(copy);
}

function identify(path: string): Found {
  const database = new Database(path);
  try {
    const view = readMeta(database, 'view');
    return { id: view.id, identity: readMeta(database, 'identity'), endedMs: view.endedMs ?? view.startedMs };
  } finally {
    database.close();
  }
}

/** The run's own id, unless another run has it here. */
function freeId(place: Place, incoming: Found): RunId {
  const isFree = (id: RunId): boolean =>
    !existsSync(place.path(id)) || identify(place.path(id)).identity === incoming.identity;
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
