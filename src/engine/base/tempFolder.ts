import { createHash } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { belongsTo, ownUser } from './ownFiles';
import { markOf, writerLives } from './lock';

export interface TempFolder {
  readonly path: string;
  /** Removes the folder with its contents; a second call does nothing. */
  remove(): void;
}

const open = new Set<string>();
let isWatchingExit = false;

/**
 * Creates a folder that only this user can read, with an unpredictable name. `remove` deletes it, at the latest when
 * the process exits; after a kill `sweepTempFolders` of a later process does. Throws the system's own error.
 */
export function privateTempFolder(within: string = tmpdir()): TempFolder {
  const path = mkdtempSync(join(within, tempFolderPrefix()));
  open.add(path);
  if (!isWatchingExit) process.once('exit', () => open.forEach(removeFolder));
  isWatchingExit = true;
  return { path, remove: () => removeFolder(path) };
}

/**
 * Removes what killed processes of this user on this machine have left. Never throws: a refused cleanup is harmless.
 */
export function sweepTempFolders(within: string = tmpdir(), user: number | undefined = ownUser()): void {
  for (const name of namesIn(within)) {
    const [, place, pid, started] = pattern.exec(name) ?? [];
    if (place !== placeMark() || pid === undefined || isAlive(Number(pid), started)) continue;
    const path = join(within, name);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat?.isDirectory() && belongsTo(stat, user)) removeFolder(path);
  }
}

/** Prefix of the names of a process's folders: machine, process number, and start of the process. */
export function tempFolderPrefix(pid: number = process.pid): string {
  return `fullhouse-${placeMark()}-${pid}-${short(markOf(pid).started)}-`;
}

const pattern = /^fullhouse-([0-9a-f]{8})-(\d{1,10})-([0-9a-f]{8})-\w{6,}$/;

function isAlive(pid: number, started: string | undefined): boolean {
  return writerLives(markOf(pid)) && short(markOf(pid).started) === started;
}

/** Machines and containers may share a temporary folder; process numbers are valid only within their own. */
function placeMark(): string {
  let processes = '';
  try {
    processes = readlinkSync('/proc/self/ns/pid');
  } catch {
    // Not Linux: only the host's name distinguishes them.
  }
  return short(`${hostname()} ${processes}`);
}

const short = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 8);

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function removeFolder(path: string): void {
  open.delete(path);
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // The next sweep retries.
  }
}
