import { UnreadError, type Facts, type ServerProcess } from '../reading/facts';
import type { Need, Strength } from '../rule';

/** What machines tell of themselves under /proc and /sys. Texts in, values out. */

export const cpuInfo = '/proc/cpuinfo';
export const memInfo = '/proc/meminfo';
export const routes = '/proc/net/route';
export const nicSpeeds = '/sys/class/net/*/speed';

export const strengthNeeds: readonly Need[] = [
  { file: cpuInfo },
  { file: memInfo },
  { file: routes },
  { files: nicSpeeds },
];

/** Processors as the system counts them. */
export function coresOf(facts: Facts): number {
  const count = [...facts.file(cpuInfo).matchAll(/^processor\s*:/gm)].length;
  if (count === 0) throw new UnreadError(`${cpuInfo} names no processor.`);
  return count;
}

/** Flags of the first processor; ARM calls them features. */
export function cpuFlags(facts: Facts): readonly string[] {
  const line = /^(?:flags|Features)\s*:\s*(.*)$/m.exec(facts.file(cpuInfo))?.[1];
  if (line === undefined) throw new UnreadError(`${cpuInfo} names no flags of the processor.`);
  return line.trim().split(/\s+/);
}

/** Bytes of a row of /proc/meminfo that counts kB. */
export function memory(facts: Facts, row: string): number {
  const kib = memoryCount(facts, row);
  return kib * 1024;
}

/** A row of /proc/meminfo that counts pages, e.g. `HugePages_Total`. */
export function memoryCount(facts: Facts, row: string): number {
  const found = new RegExp(`^${row}:\\s+(\\d+)`, 'm').exec(facts.file(memInfo))?.[1];
  if (found === undefined) throw new UnreadError(`${memInfo} has no ${row}.`);
  return Number(found);
}

/** Names of the interfaces that lead to the default route. */
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

/** Interface and speed of the way out; undefined where no interface tells its speed, as virtual ones do. */
export function nicSpeed(facts: Facts): { readonly name: string; readonly mbps: number } | undefined {
  const out = facts.maybe(defaultInterfaces) ?? [];
  const speeds = facts.files(nicSpeeds).flatMap(({ path, text }) => {
    const mbps = Number(text);
    return mbps > 0 ? [{ name: interfaceOf(path), mbps }] : [];
  });
  const wanted = out.length > 0 ? speeds.filter(({ name }) => out.includes(name)) : speeds;
  return wanted.sort((a, b) => b.mbps - a.mbps)[0];
}

export function strengthOf(facts: Facts): Strength {
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

/** The process of the server that may open the fewest files: it is the one that gives out first. */
export function leastOpenFiles(processes: readonly ServerProcess[]): {
  readonly pid: number;
  readonly limit: Limit;
} {
  const all = processes.flatMap(({ pid, limits }) => {
    const limit = openFilesLimit(limits);
    return limit ? [{ pid, limit }] : [];
  });
  const [least] = all.sort((a, b) => a.limit.soft - b.limit.soft);
  if (!least) throw new UnreadError("The limits of the server's process may not be read.");
  return least;
}
