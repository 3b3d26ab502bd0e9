import { UnreadableError, type Facts } from '../reading/facts';
import { type ServerProcess } from '../reading/serverProcess';
import type { MachineCapacity } from '../rule';
import type { Need } from '../reading/need';

/** What machines report under /proc and /sys. Texts in, values out. */

export const cpuInfo = '/proc/cpuinfo';
export const memInfo = '/proc/meminfo';
export const routes = '/proc/net/route';
export const nicSpeeds = '/sys/class/net/*/speed';

export const capacityNeeds: readonly Need[] = [
  { file: cpuInfo },
  { file: memInfo },
  { file: routes },
  { files: nicSpeeds },
];

/** Processors as counted by the system. */
export function coresOf(facts: Facts): number {
  const count = [...facts.file(cpuInfo).matchAll(/^processor\s*:/gm)].length;
  if (count === 0) throw new UnreadableError(`${cpuInfo} lists no processor.`);
  return count;
}

/** Flags of the first processor; ARM calls them features. */
export function cpuFlags(facts: Facts): readonly string[] {
  const line = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(facts.file(cpuInfo))?.[1];
  if (line === undefined) throw new UnreadableError(`${cpuInfo} lists no processor flags.`);
  return line.trim().split(/\s+/);
}

/** Bytes of a /proc/meminfo row in kB. */
export function memory(facts: Facts, row: string): number {
  const kib = memoryCount(facts, row);
  return kib * 1024;
}

/** A /proc/meminfo row that counts pages, e.g. `HugePages_Total`. */
export function memoryCount(facts: Facts, row: string): number {
  const value = new RegExp(`^${row}:\\s+(\\d+)`, 'm').exec(facts.file(memInfo))?.[1];
  if (value === undefined) throw new UnreadableError(`${memInfo} has no ${row}.`);
  return Number(value);
}

/** Names of the interfaces of the default route. */
export function defaultInterfaces(facts: Facts): readonly string[] {
  return [
    ...new Set(
      facts
        .file(routes)
        .split('\n')
        .map((line) => line.trim().split(/\s+/))
        .flatMap(([name, target]) => (name !== undefined && target === '00000000' ? [name] : [])),
    ),
  ];
}

/** The interface of a file under /sys/class/net. */
export const interfaceOf = (path: string): string => path.split('/')[4] ?? path;

/** Interface of the default route and its speed; undefined where no interface reports a speed, as virtual ones. */
export function nicSpeed(facts: Facts): { readonly name: string; readonly mbps: number } | undefined {
  const out = facts.maybe(defaultInterfaces) ?? [];
  const speeds = facts.files(nicSpeeds).flatMap(({ path, text }) => {
    const mbps = Number(text);
    return mbps > 0 ? [{ name: interfaceOf(path), mbps }] : [];
  });
  const interfaces = out.length > 0 ? speeds.filter(({ name }) => out.includes(name)) : speeds;
  return interfaces.sort((a, b) => b.mbps - a.mbps)[0];
}

export function capacityOfMachine(facts: Facts): MachineCapacity {
  const nicMbps = facts.maybe(nicSpeed)?.mbps;
  return {
    cores: coresOf(facts),
    memoryBytes: memory(facts, 'MemTotal'),
    ...(nicMbps === undefined ? {} : { nicMbps }),
  };
}

export interface Limit {
  readonly soft: number;
  readonly hard: number;
}

/** Open files of a `/proc/PID/limits`; Infinity where there is no limit. */
export function openFilesLimit(limits: string): Limit | undefined {
  const match = /^Max open files\s+(\S+)\s+(\S+)/m.exec(limits);
  if (!match) return undefined;
  const [soft, hard] = [match[1], match[2]].map((text) => (text === 'unlimited' ? Infinity : Number(text)));
  return soft === undefined || hard === undefined ? undefined : { soft, hard };
}

/** The server process with the lowest open-files limit: it reaches the limit first. */
export function lowestOpenFilesLimit(processes: readonly ServerProcess[]): {
  readonly pid: number;
  readonly limit: Limit;
} {
  const all = processes.flatMap(({ pid, limits }) => {
    const limit = openFilesLimit(limits);
    return limit ? [{ pid, limit }] : [];
  });
  const [least] = all.sort((a, b) => a.limit.soft - b.limit.soft);
  if (!least) throw new UnreadableError("No permission to read the limits of the server's process.");
  return least;
}
