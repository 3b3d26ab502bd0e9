import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { privateTempFolder } from '../base/tempFolder';
import type { Database } from './database';
import { writeFailure } from './failure';
import { runFormat } from './format/steps';
import { writerLives } from '../base/lock';
import { soundMeta } from './meta';
import { openRunFile } from './openRunFile';
import { salvageFile } from './salvage';
import { stampOf } from './stamp';

/**
 * Prepares an open run file for a change: a file of an older format is rewritten in the current one and opened again.
 * The original stays next to it as `NAME.fullhouse.v1` and is never written to: a copy of it is read, row by row as in
 * an import. The new file replaces it only when complete. Closes `database` unless it returns it.
 */
export function upgraded(database: Database, name: string): Database {
  const { format, path } = database;
  if (format === runFormat) return database;
  const writer = soundMeta(database, 'writer');
  database.close();
  if (writer && writerLives(writer))
    throw new FullhouseError(
      'run-under-way',
      `${name} is being recorded by an older version of Fullhouse. Change it when the run has ended.`,
    );
  try {
    accessSync(path, constants.W_OK);
    const work = privateTempFolder(dirname(path));
    try {
      const copy = join(work.path, 'upgraded');
      const stamp = stampOf(path);
      salvageFile(path, copy, name);
      if (stampOf(path) !== stamp)
        throw new FullhouseError('run-busy', `${name} is in use by another program; try again in a moment.`);
      chmodSync(copy, statSync(path).mode);
      replace(path, copy, keptPath(path, format));
    } finally {
      work.remove();
    }
  } catch (error) {
    throw writeFailure(error, `${name} can't be upgraded to the current run format`);
  }
  return openRunFile(path, name);
}

/** Opens the file of a saved run for as long as `use` takes. */
export function withRunFile<T>(path: string, use: (database: Database) => T): T {
  return closing(openRunFile(path, basename(path)), use);
}

/** Opens a run file to change it. */
export function changeRunFile<T>(path: string, use: (database: Database) => T): T {
  return closing(upgraded(openRunFile(path, basename(path)), basename(path)), use);
}

function closing<T>(database: Database, use: (database: Database) => T): T {
  try {
    return use(database);
  } finally {
    database.close();
  }
}

/** The first free name for the original. */
function keptPath(path: string, format: number): string {
  const first = `${path}.v${format}`;
  for (let i = 1; ; i += 1) {
    const originalPath = i === 1 ? first : `${first}-${i}`;
    if (!existsSync(originalPath)) return originalPath;
  }
}

/** Gives the original its second name first, so that the run exists at any time. */
function replace(path: string, copy: string, originalPath: string): void {
  linkOrCopy(path, originalPath);
  try {
    // The log that a killed process left belongs to the original.
    if (existsSync(`${path}-wal`)) renameSync(`${path}-wal`, `${originalPath}-wal`);
    rmSync(`${path}-shm`, { force: true });
    renameSync(copy, path);
  } catch (error) {
    if (existsSync(`${originalPath}-wal`)) renameSync(`${originalPath}-wal`, `${path}-wal`);
    rmSync(originalPath);
    throw error;
  }
}

function linkOrCopy(path: string, originalPath: string): void {
  try {
    linkSync(path, originalPath);
  } catch {
    // Not every file system has links.
    copyFileSync(path, originalPath, constants.COPYFILE_EXCL);
  }
}
