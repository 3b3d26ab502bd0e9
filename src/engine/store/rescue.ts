import { lstatSync, mkdirSync, mkdtempSync, rmdirSync, rmSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { foreignFolder } from '../base/ownFiles';
import { Database } from './database';
import { reasonOf } from './failure';
import { freeBytes } from './diskSpace';

/** Free space required in a folder besides the file itself, so that the run can continue there. */
const spareBytes = 8 * 1024 * 1024;

/** Fallback folders for a run's file that can't be written any more, the best first; each is created on demand. */
export function rescueFolders(dataFolder?: string): ReadonlyArray<() => string> {
  const named = (path: string) => (): string => {
    mkdirSync(path, { recursive: true, mode: 0o700 });
    const foreign = foreignFolder(path);
    if (foreign !== undefined) throw new Error(foreign);
    return path;
  };
  return [
    ...(dataFolder === undefined ? [] : [named(join(dataFolder, 'rescued-runs'))]),
    named(join(homedir(), '.local', 'share', 'fullhouse', 'rescued-runs')),
    apart(tmpdir()),
    // In memory until the machine is shut down: for the case that one full disk contains all of the others.
    ...(process.platform === 'linux' ? [apart('/dev/shm')] : []),
  ];
}

/** A folder that only this user can read, with an unpredictable name. */
const apart = (within: string) => (): string => mkdtempSync(join(within, 'fullhouse-rescued-'));

/** Copies all that `database` contains into a file of the same name in the folder; an existing file is not touched. */
export function copyTo(database: Database, openFolder: () => string): Database {
  const folder = openFolder();
  const path = join(folder, basename(database.path));
  if (lstatSync(path, { throwIfNoEntry: false })) throw new Error(`${path} exists already`);
  try {
    const free = freeBytes(folder);
    const size = database.row('SELECT page_count * page_size FROM pragma_page_count, pragma_page_size');
    if (free !== undefined && free < Number(size?.[0]) + spareBytes) throw new Error(`the disk of ${folder} is full`);
    database.run('VACUUM INTO ?', path);
    const copy = new Database(path);
    copy.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;');
    return copy;
  } catch (error) {
    removeRunFile(path);
    removeIfEmpty(folder);
    throw error;
  }
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another run is in it.
  }
}

/** Removes a run's file with SQLite's companion files. */
export function removeRunFile(path: string): void {
  try {
    for (const beside of ['', '-wal', '-shm']) rmSync(path + beside, { force: true });
  } catch {
    // On a disk that can't be written it stays.
  }
}

/** Distinguishes a file from a later one of the same name; empty when it does not exist. */
export function fileMark(path: string): string {
  try {
    const { dev, ino } = statSync(path, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return '';
  }
}

/** No folder could take the file. */
export function recoveryFailed(problems: readonly unknown[]): FullhouseError {
  if (problems.length === 0)
    return new FullhouseError('run-not-written', 'What is pending waits in memory until this disk accepts it.');
  const reasons = [...new Set(problems.map(reasonOf))].join('; ');
  return new FullhouseError('run-not-written', `No other folder can be written either: ${reasons}.`);
}
