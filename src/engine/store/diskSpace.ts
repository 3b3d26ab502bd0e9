import * as fs from 'node:fs';
import { dirname, join } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { publisherGroups } from '../../domain/model/publisherGroup';
import type { RunView } from '../../domain/model/run';
import { outputNow } from '../base/program';
import { reasonOf } from './failure';

/**
 * Growth of a run's file per second, measured with some nodes and doubled; and the log that precedes it (4 MB at most).
 */
const bytesPerSecond = 1500;
const logBytes = { perSecond: 64 * 1024, most: 4 * 1024 * 1024 } as const;
/** The start of the file, and a report next to it. */
const minBytes = 700 * 1024;
/** Duration assumed for a run that lasts until it is stopped. */
const openEndMs = 10 * 60_000;
const dfLimitMs = 2000;

/** Free bytes for this user on the disk of a folder; undefined where the system does not report it. */
export function freeBytes(folder: string): number | undefined {
  try {
    // Since Node.js 18.15; the fallback runtime is older.
    if ('statfsSync' in fs) {
      const { bavail, bsize } = fs.statfsSync(folder);
      return bavail * bsize;
    }
    return process.platform === 'win32' ? undefined : freeByDf(folder);
  } catch {
    return undefined;
  }
}

/** Free space by the program df. */
export function freeByDf(folder: string): number | undefined {
  try {
    const rows = outputNow('df', ['-Pk', folder], dfLimitMs).trim();
    const kilobytes = Number(rows.split('\n').at(-1)?.split(/\s+/)[3]);
    return Number.isFinite(kilobytes) ? kilobytes * 1024 : undefined;
  } catch {
    return undefined;
  }
}

/** Expected size of the run file of this plan, as far as known before the start. */
export function expectedRunBytes({ plan }: Pick<RunView, 'plan'>): number {
  const parts = plan.pull
    ? [plan.pull]
    : publisherGroups(plan).map(({ publishers, ...group }) => ({ ...group, viewers: publishers }));
  const lengths = parts.map(({ viewers, ratePerSecond, holdMs }) => {
    const arrivalS = Math.min(3600, ratePerSecond > 0 ? viewers / ratePerSecond : 0);
    return arrivalS + (holdMs > 0 ? holdMs : openEndMs) / 1000;
  });
  const seconds = Math.max(0, ...lengths);
  return minBytes + seconds * bytesPerSecond + Math.min(logBytes.most, seconds * logBytes.perSecond);
}

/** Creates the folder if it is missing. Throws one sentence when no run can be written there, or `bytes` do not fit. */
export function requireSpace(folder: string, bytes: number): void {
  const problem = makeFolder(folder) ?? probe(folder);
  if (problem !== undefined)
    throw new FullhouseError(
      'run-not-written',
      `The folder ${folder} can't be used for runs: ${problem}. Choose another folder.`,
    );
  const free = freeBytes(folder);
  if (free !== undefined && free < bytes)
    throw new FullhouseError(
      'no-room',
      `The disk of ${folder} has ${megabytes(free)} free; this run may need ${megabytes(bytes)}. Free space there, or choose another folder.`,
    );
}

const megabytes = (bytes: number): string => `${(bytes / (1 << 20)).toFixed(1)} MB`;

/** Level by level: where nothing can be created, e.g. below /proc, Node.js's own recursion never ends. */
function makeFolders(folder: string): void {
  if (fs.existsSync(folder)) {
    // A file in its place is refused in Node.js's words.
    if (!fs.statSync(folder).isDirectory()) fs.mkdirSync(folder);
    return;
  }
  const above = dirname(folder);
  if (above !== folder) makeFolders(above);
  fs.mkdirSync(folder);
}

/** Why the folder does not exist and can't be created; undefined when it exists. */
function makeFolder(folder: string): string | undefined {
  try {
    makeFolders(folder);
    return undefined;
  } catch (error) {
    // The system's error is about the last step; the cause is the first existing part of the path.
    let there = folder;
    while (!fs.existsSync(there) && dirname(there) !== there) there = dirname(there);
    if (!fs.statSync(there, { throwIfNoEntry: false })?.isDirectory()) return `${there} is a file, not a folder`;
    return probe(there) ?? reasonOf(error);
  }
}

/** Why nothing can be written in a folder; undefined when it can. */
function probe(folder: string): string | undefined {
  try {
    fs.rmdirSync(fs.mkdtempSync(join(folder, '.probe-')));
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}
