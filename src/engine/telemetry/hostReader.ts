import { readFile } from 'node:fs/promises';
import { cpus, freemem, loadavg, platform, totalmem } from 'node:os';
import { performance } from 'node:perf_hooks';
import type { CpuTicks, HostReading } from './hostRates';
import { readProcesses } from './localProcesses';
import { parseProc, procFiles } from './procParse';

/**
 * Reads this host's counters: from /proc on Linux, from the os module elsewhere (network and UDP are then absent). `ours` are the
 * processes of the test; undefined where they can't be told apart.
 */
export async function readThisHost(ours?: readonly number[]): Promise<HostReading> {
  return platform() === 'linux' ? readProc(ours) : readOs();
}

async function readProc(pids: readonly number[] | undefined): Promise<HostReading> {
  const texts = await Promise.all(
    procFiles.map((name) =>
      readFile(`/proc/${name}`, 'utf8').catch((error: NodeJS.ErrnoException) => {
        // A kernel without IPv6 has no sockstat6, one without networking no net at all; without stat there is no /proc.
        if (error.code === 'ENOENT' && name !== 'stat') return '';
        throw error;
      }),
    ),
  );
  const monotonicMs = performance.now();
  const ours = pids && (await readProcesses(pids, new Set(pids)));
  const { processStats: _, ...counters } = parseProc(texts.join('').split('\n'));
  return { monotonicMs, ...counters, ...(ours ? { ours } : {}) };
}

function readOs(): HostReading {
  const cores: CpuTicks[] = cpus().map(({ times }) => {
    const busy = times.user + times.nice + times.sys + times.irq;
    return { busy, total: busy + times.idle };
  });
  const sum = (pick: (core: CpuTicks) => number): number =>
    cores.reduce((total, core) => total + pick(core), 0);
  const [one = 0, five = 0, fifteen = 0] = loadavg();
  return {
    monotonicMs: performance.now(),
    cpu:
      cores.length > 0
        ? {
            all: { busy: sum((c) => c.busy), total: sum((c) => c.total) },
            cores: new Map(cores.map((core, number) => [number, core])),
          }
        : undefined,
    // Windows knows no load average; os.loadavg() answers zeros there.
    load: platform() === 'win32' ? undefined : [one, five, fifteen],
    memoryUsedBytes: totalmem() - freemem(),
  };
}
