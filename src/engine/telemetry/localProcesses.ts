import { readdirSync, readFileSync } from 'node:fs';
import { nextTurn } from '../base/clock';
import type { ProcessReading } from './hostRates';
import { parseProcessStat, type ProcessStat } from './procParse';

/** USER_HZ: 100 on all platforms of Linux, whatever the kernel's own tick is. */
export const ticksPerSecond = 100;
/** With more threads than this a process is not read thread by thread once a second. */
const maxThreads = 256;
/** Far above what a machine runs; bounds a scan. */
const maxProcesses = 8192;
/**
 * Read without a break. /proc is not on a disk: a synchronous read takes microseconds, one through the thread pool
 * several times the processor time.
 */
const perBatch = 256;

/** Page size of this machine, from two memory figures of this process. */
export const pageBytes = ((): number => {
  try {
    const pages = parseProcessStat(readFileSync('/proc/self/stat', 'utf8'))?.residentPages ?? 0;
    const exact = process.memoryUsage.rss() / pages;
    return pages > 0 ? 2 ** Math.round(Math.log2(exact)) : 4096;
  } catch {
    return 4096;
  }
})();

/** Counters of this machine's processes, with how long their threads waited for a processor; ended ones are left out. */
export function readProcesses(pids: readonly number[]): ProcessReading[] {
  return pids.flatMap((pid) => {
    const stat = readStat(pid);
    return stat ? processReading(stat, waitedMs(stat)) : [];
  });
}

function processReading(stat: ProcessStat, waited: number | undefined): ProcessReading {
  return {
    pid: stat.pid,
    parentPid: stat.parentPid,
    startedAt: stat.startTicks,
    cpuSeconds: (stat.cpuTicks + stat.childTicks) / ticksPerSecond,
    memoryBytes: stat.residentPages * pageBytes,
    threads: stat.threads,
    ...(waited === undefined ? {} : { waitedMs: waited }),
  };
}

/**
 * Processes and all their descendants, without those below `except`; the roots themselves where the kernel does not list
 * children.
 */
export function readTree(roots: readonly number[], except: ReadonlySet<number> = new Set()): number[] {
  const found = new Set<number>();
  const open = [...roots];
  for (let pid = open.pop(); pid !== undefined && found.size < maxProcesses; pid = open.pop()) {
    if (found.has(pid) || except.has(pid)) continue;
    found.add(pid);
    for (const task of listed(`/proc/${pid}/task`))
      open.push(...(readText(`/proc/${pid}/task/${task}/children`) ?? '').split(' ').filter(Boolean).map(Number));
  }
  return [...found];
}

/** All processes of this machine. Rejects where there is no /proc. */
export async function readAllProcesses(): Promise<ProcessStat[]> {
  const pids = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .slice(0, maxProcesses);
  const found: ProcessStat[] = [];
  for (const [index, pid] of pids.entries()) {
    if (index % perBatch === perBatch - 1) await nextTurn();
    const stat = readStat(Number(pid));
    if (stat) found.push(stat);
  }
  return found;
}

function readStat(pid: number): ProcessStat | undefined {
  return parseProcessStat(readText(`/proc/${pid}/stat`) ?? '');
}

/** The second field of each thread's schedstat: ns on a run queue without a processor. */
function waitedMs({ pid, threads }: ProcessStat): number | undefined {
  if (threads > maxThreads) return undefined;
  // The folder of a process with one thread need not be listed.
  const tasks = threads === 1 ? [String(pid)] : listed(`/proc/${pid}/task`);
  return sumOfWaits(tasks.map((task) => readText(`/proc/${pid}/task/${task}/schedstat`) ?? ''));
}

/** Undefined once the process has ended. */
function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}

function listed(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** From lines of schedstat; undefined where the kernel has none. */
export function sumOfWaits(lines: readonly string[]): number | undefined {
  const waits = lines.flatMap((line) => {
    const ns = Number(line.split(' ')[1]);
    return line !== '' && Number.isFinite(ns) ? [ns] : [];
  });
  return waits.length > 0 ? waits.reduce((sum, ns) => sum + ns, 0) / 1e6 : undefined;
}
