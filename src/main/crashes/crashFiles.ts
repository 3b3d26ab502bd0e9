import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The process that has ended unexpectedly. */
export type CrashedProcess = 'window' | 'engine' | 'main' | 'reader' | 'gpu' | 'utility';

export interface CrashFilesOptions {
  /** Where they are kept. */
  readonly folder: string;
  /** Where Crashpad writes minidumps. */
  readonly dumps: string;
  /** The last lines of the log, without secrets. */
  readonly lastLines: (count: number) => readonly string[];
  /** First lines of each file, e.g. the versions. */
  readonly about: readonly string[];
  readonly nowMs?: () => number;
}

/** Lines of the log in a crash file. */
const logLines = 500;
/** Crashes that are kept. */
const maxCrashes = 10;
/** Crashpad has usually written a minidump by then. */
const dumpTimeoutMs = 5000;

/**
 * The files of crashes: `TIME-PROCESS.log` with the end of the log, and beside it `TIME-PROCESS.dmp` if Crashpad has
 * written a minidump. Nothing is sent.
 */
export class CrashFiles {
  /** Processes whose minidump is awaited. */
  readonly #awaited = new Set<number>();

  constructor(private readonly options: CrashFilesOptions) {}

  /**
   * Keeps what is known of a crash: its minidump is that of the process `pid`, or one that no other crash awaits if the
   * id is unknown. `none`: there is no minidump. Resolves with the path of its log; undefined if that can't be written.
   */
  async record(process: CrashedProcess, reason: string, pid?: number | 'none'): Promise<string | undefined> {
    const nowMs = this.options.nowMs?.() ?? Date.now();
    // The log as of the crash: what follows it would displace its cause.
    const path = this.#write(process, reason, nowMs);
    if (path !== undefined && pid !== 'none') await this.#addDump(path, pid, nowMs);
    return path;
  }

  /** Minidumps of an earlier start whose main process ended with the crash. To be called at the start. */
  collectLeft(): void {
    for (const dump of dumpsIn(this.options.dumps)) {
      const path = this.#write('main', 'It ended during an earlier start', dump.timeMs);
      if (path !== undefined) move(dump.path, dumpOf(path));
    }
  }

  /** Names of the kept files, the latest crash first. */
  names(): string[] {
    try {
      return readdirSync(this.options.folder)
        .filter((name) => /\.(log|dmp)$/.test(name))
        .sort()
        .reverse();
    } catch {
      return [];
    }
  }

  #write(process: CrashedProcess, reason: string, timeMs: number): string | undefined {
    const { folder, about, lastLines } = this.options;
    const time = new Date(timeMs).toISOString();
    const path = join(folder, `${time.replace(/[:.]/g, '-')}-${process}.log`);
    const lines = [`Process: ${process}`, `Reason: ${reason}`, `Time: ${time}`, ...about, '', ...lastLines(logLines)];
    try {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, `${lines.join('\n')}\n`, { mode: 0o600 });
      this.#prune();
      return path;
    } catch (error) {
      console.error(`The crash file ${path} could not be written: ${(error as Error).message}`);
      return undefined;
    }
  }

  async #addDump(path: string, pid: number | undefined, sinceMs: number): Promise<void> {
    if (pid !== undefined) this.#awaited.add(pid);
    const isOwn = (dump: Dump): boolean => {
      const crashed = processOfDump(dump.path);
      if (pid !== undefined) return crashed === pid;
      // The clock of a file system is coarser than ours.
      return dump.timeMs >= sinceMs - dumpTimeoutMs && !(crashed !== undefined && this.#awaited.has(crashed));
    };
    for (let waitedMs = 0; waitedMs <= dumpTimeoutMs; waitedMs += 200) {
      const dump = dumpsIn(this.options.dumps).find(isOwn);
      if (dump) {
        move(dump.path, dumpOf(path));
        break;
      }
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    if (pid !== undefined) this.#awaited.delete(pid);
  }

  #prune(): void {
    const crashes = [...new Set(this.names().map((name) => name.replace(/\.\w+$/, '')))];
    for (const old of crashes.slice(maxCrashes))
      for (const extension of ['.log', '.dmp']) rmSync(join(this.options.folder, old + extension), { force: true });
  }
}

const dumpOf = (log: string): string => log.replace(/\.log$/, '.dmp');

interface Dump {
  readonly path: string;
  readonly timeMs: number;
}

/** Complete minidumps below Crashpad's folder, whose layout differs by system; those in `new` are being written. */
function dumpsIn(folder: string): Dump[] {
  let entries;
  try {
    entries = readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'new' ? [] : dumpsIn(path);
    return entry.name.endsWith('.dmp') ? [{ path, timeMs: statSync(path).mtimeMs }] : [];
  });
}

/** With the description that Crashpad has written beside it. */
function move(dump: string, to: string): void {
  copyFileSync(dump, to);
  rmSync(dump, { force: true });
  rmSync(join(dirname(dump), `${basename(dump, '.dmp')}.meta`), { force: true });
}

const signature = 'MDMP';
/** Stream with facts of the process. */
const miscInfoStream = 15;
/** More streams than any dump has; a bound on what a damaged one can claim. */
const maxStreams = 1000;

/**
 * The id of the process of a minidump; undefined for any other file. The format: a header with number and place of
 * streams, their directory, and the streams, all little-endian.
 */
function processOfDump(path: string): number | undefined {
  const file = openSync(path, 'r');
  const read = (at: number, bytes: number): Buffer => {
    const buffer = Buffer.alloc(bytes);
    readSync(file, buffer, 0, bytes, at);
    return buffer;
  };
  try {
    const header = read(0, 16);
    if (header.toString('latin1', 0, 4) !== signature) return undefined;
    const directory = read(header.readUInt32LE(12), 12 * Math.min(header.readUInt32LE(8), maxStreams));
    for (let at = 0; at < directory.length; at += 12)
      if (directory.readUInt32LE(at) === miscInfoStream)
        return read(directory.readUInt32LE(at + 8) + 8, 4).readUInt32LE(0);
    return undefined;
  } finally {
    closeSync(file);
  }
}
