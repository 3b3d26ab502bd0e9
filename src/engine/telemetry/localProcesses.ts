import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import type { ProcessReading } from './hostRates';
import { parseProcessStat, type ProcessStat } from './procParse';

/** USER_HZ: 100 on all platforms of Linux, whatever the kernel's own tick is. */
export const ticksPerSecond = 100;
/** A process of so many threads is not asked for each of them once a second. */
const mostThreads = 256;
/** Far above what a machine runs; a scan has to end. */
const mostProcesses = 8192;
const atOnce = 64;

/** Bytes of a page of this machine, from two words on the memory of this process. */
export const pageBytes = ((): number => {
  try {
    const pages = parseProcessStat(readFileSync('/proc/self/stat', 'utf8'))?.residentPages ?? 0;
    const exact = process.memoryUsage.rss() / pages;
    return pages > 0 ? 2 ** Math.round(Math.log2(exact)) : 4096;
  } catch {
    return 4096;
  }
})();

/** Processes of this machine as counters; those that have ended are left out. `withWaits` also sums what their threads waited for a processor. */
export async function readProcesses(
  pids: readonly number[],
  withWaits: ReadonlySet<number> = new Set(),
): Promise<ProcessReading[]> {
  const all = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readStat(pid);
      return stat && processReading(stat, withWaits.has(pid) ? await waitedMs(stat) : undefined);
    }),
  );
  return all.filter((one) => one !== undefined);
}

export function processReading(stat: ProcessStat, waited: number | undefined): ProcessReading {
  return {
    pid: stat.pid,
    startedAt: stat.startTicks,
    cpuSeconds: (stat.cpuTicks + stat.childTicks) / ticksPerSecond,
    memoryBytes: stat.residentPages * pageBytes,
    threads: stat.threads,
    ...(waited === undefined ? {} : { waitedMs: waited }),
  };
}

/** All processes of this machine. */
export async function readAllProcesses(): Promise<ProcessStat[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).slice(0, mostProcesses);
  const found: ProcessStat[] = [];
  for (let from = 0; from < pids.length; from += atOnce) {
    const some = await Promise.all(pids.slice(from, from + atOnce).map((pid) => readStat(Number(pid))));
    found.push(...some.filter((stat) => stat !== undefined));
  }
  return found;
}

async function readStat(pid: number): Promise<ProcessStat | undefined> {
  try {
    return parseProcessStat(await readFile(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return undefined; // it has ended
  }
}

/** The second figure of each thread's schedstat: ns on a run queue without a processor. */
async function waitedMs({ pid, threads }: ProcessStat): Promise<number | undefined> {
  if (threads > mostThreads) return undefined;
  try {
    const tasks = await readdir(`/proc/${pid}/task`);
    const waits = await Promise.all(
      tasks.map((task) => readFile(`/proc/${pid}/task/${task}/schedstat`, 'utf8').catch(() => '')),
    );
    return sumOfWaits(waits);
  } catch {
    return undefined;
  }
}

/** Of lines of schedstat; undefined where the kernel keeps none. */
export function sumOfWaits(lines: readonly string[]): number | undefined {
  const waits = lines.flatMap((line) => {
    const ns = Number(line.split(' ')[1]);
    return line !== '' && Number.isFinite(ns) ? [ns] : [];
  });
  return waits.length > 0 ? waits.reduce((sum, ns) => sum + ns, 0) / 1e6 : undefined;
}
