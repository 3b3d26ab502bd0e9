import { readFileSync } from 'node:fs';
import { cpus, freemem, loadavg, platform, totalmem } from 'node:os';
import { systemClock } from '../base/clock';
import type { CpuTicks, HostReading } from './hostRates';
import { readProcesses } from './localProcesses';
import type { NetworkStructure } from '../../domain/node/wires';
import { readStructure, structureEveryMs } from './networkStructure';
import { parseProc, procFiles } from './procParse';

/**
 * Reads this host's counters: from /proc on Linux, from the os module elsewhere (network and UDP are then absent).
 * `ours` are the processes of the test, `ofConsole` those of this console; undefined where they can't be
 * distinguished.
 */
export function readThisHost(ours?: readonly number[], ofConsole?: readonly number[]): HostReading {
  return platform() === 'linux' ? readProc(ours, ofConsole) : readOs();
}

function readProc(pids: readonly number[] | undefined, ofConsole: readonly number[] | undefined): HostReading {
  const lines = procFiles.map(procText).join('').split('\n');
  const monotonicMs = systemClock.monotonic();
  const { processStats: _, ...counters } = parseProc(lines);
  return {
    monotonicMs,
    ...counters,
    network: structureNow(monotonicMs),
    ...(pids ? { ours: readProcesses(pids) } : {}),
    ...(ofConsole ? { console: readProcesses(ofConsole) } : {}),
  };
}

let structure: { readonly readMs: number; readonly network: NetworkStructure } | undefined;

function structureNow(nowMs: number): NetworkStructure {
  if (!structure || nowMs - structure.readMs >= structureEveryMs)
    structure = { readMs: nowMs, network: readStructure() };
  return structure.network;
}

/** Empty where this kernel has no such file: no sockstat6 without IPv6, no net without networking. */
function procText(name: string): string {
  try {
    return readFileSync(`/proc/${name}`, 'utf8');
  } catch (error) {
    // Without stat there is no /proc.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' && name !== 'stat') return '';
    throw error;
  }
}

function readOs(): HostReading {
  const cores: CpuTicks[] = cpus().map(({ times }) => {
    const busy = times.user + times.nice + times.sys + times.irq;
    return { busy, total: busy + times.idle };
  });
  const sum = (pick: (core: CpuTicks) => number): number => cores.reduce((total, core) => total + pick(core), 0);
  const [one = 0, five = 0, fifteen = 0] = loadavg();
  return {
    monotonicMs: systemClock.monotonic(),
    cpu:
      cores.length > 0
        ? {
            all: { busy: sum((c) => c.busy), total: sum((c) => c.total) },
            cores: new Map(cores.map((core, number) => [number, core])),
          }
        : undefined,
    // Windows has no load average; os.loadavg() returns zeros there.
    load: platform() === 'win32' ? undefined : [one, five, fifteen],
    memoryUsedBytes: totalmem() - freemem(),
  };
}
