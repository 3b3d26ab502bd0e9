import { coreNumber, type CpuCounters, type CpuTicks, type HostReading, type InterfaceCounters } from './hostRates';

/** A line of `/proc/PID/stat`. */
export interface ProcessStat {
  readonly pid: number;
  readonly parentPid: number;
  /** As in the kernel: 15 characters at most. */
  readonly name: string;
  readonly cpuTicks: number;
  /** CPU time of children that have ended and were waited for. */
  readonly childTicks: number;
  readonly threads: number;
  /** Start of the process in ticks since boot. */
  readonly startTicks: number;
  readonly residentPages: number;
}

/** The content of /proc's files. A missing line is undefined, never 0. */
export interface ProcText extends Omit<HostReading, 'monotonicMs' | 'processes' | 'ours'> {
  readonly uptimeMs?: number;
  readonly memoryTotalBytes?: number;
  readonly processStats: readonly ProcessStat[];
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/**
 * The files that `parseProc` reads, in this order; `/proc/PID/stat` of any number of
 * processes may follow. A line is recognised by its start, so a missing file shifts nothing.
 */
export const procFiles = [
  'stat',
  'loadavg',
  'uptime',
  'meminfo',
  'net/sockstat',
  'net/sockstat6',
  'net/snmp',
  'net/dev',
  'pressure/cpu',
  'diskstats',
] as const;

/**
 * Parses lines of /proc, as printed by `cat` of the files. It runs each second for every node, so no regular expression
 * over all of it.
 */
export function parseProc(lines: readonly string[]): ProcText {
  const found: Writable<ProcText> & { processStats: ProcessStat[] } = { processStats: [] };
  const cores = new Map<number, CpuTicks>();
  let all: CpuTicks | undefined;
  let totalKb: number | undefined;
  let availableKb: number | undefined;
  let udpNames: readonly string[] | undefined;
  let interfaces: Map<string, InterfaceCounters> | undefined;
  const sockets: Writable<NonNullable<HostReading['sockets']>> = {};
  const disks = new Map<string, number>();

  for (const line of lines) {
    if (line.startsWith('cpu')) {
      const { name, ticks } = cpuLine(line);
      const core = coreNumber(name.slice(3));
      if (name === 'cpu') all = ticks;
      else if (core !== undefined) cores.set(core, ticks);
    } else if (interfaces && interfaceLine(line, interfaces)) {
      continue;
    } else if (line.startsWith('MemTotal:')) totalKb = secondNumber(line);
    else if (line.startsWith('MemAvailable:')) availableKb = secondNumber(line);
    else if (line.startsWith('Udp: ')) {
      if (udpNames) found.udp = udpCounters(udpNames, fieldsOf(line));
      else udpNames = fieldsOf(line);
    } else if (line.startsWith('sockets: used')) sockets.all = Number(fieldsOf(line)[2]);
    else if (line.startsWith('TCP: inuse') || line.startsWith('TCP6: inuse'))
      sockets.tcp = (sockets.tcp ?? 0) + (secondNumber(line, 2) ?? 0);
    else if (line.startsWith('UDP: inuse') || line.startsWith('UDP6: inuse'))
      sockets.udp = (sockets.udp ?? 0) + (secondNumber(line, 2) ?? 0);
    else if (line.startsWith(' face |')) interfaces = new Map();
    else if (line.startsWith('some avg10')) {
      const total = Number(line.slice(line.lastIndexOf('=') + 1));
      if (Number.isFinite(total)) found.cpuPressureMs = total / 1000;
    } else if (line.startsWith(' ')) diskLine(line, disks);
    else if (isDigit(line)) plainLine(line, found);
  }

  if (all) found.cpu = { all, cores } satisfies CpuCounters;
  if (totalKb !== undefined) found.memoryTotalBytes = totalKb * 1024;
  if (totalKb !== undefined && availableKb !== undefined) found.memoryUsedBytes = (totalKb - availableKb) * 1024;
  if (sockets.all !== undefined || sockets.tcp !== undefined || sockets.udp !== undefined) found.sockets = sockets;
  if (interfaces && interfaces.size > 0) found.interfaces = interfaces;
  if (disks.size > 0) found.disksBusyMs = disks;
  return found;
}

function isDigit(line: string): boolean {
  const first = line.charCodeAt(0);
  return first >= 48 && first <= 57;
}

function fieldsOf(line: string): string[] {
  return line.trim().split(/ +/);
}

function secondNumber(line: string, position = 1): number | undefined {
  const value = Number(fieldsOf(line)[position]);
  return Number.isFinite(value) ? value : undefined;
}

/** Waiting for I/O counts as idle; guest time is already in user time. */
function cpuLine(line: string): { readonly name: string; readonly ticks: CpuTicks } {
  const fields = fieldsOf(line);
  const at = (position: number): number => Number(fields[position] ?? 0);
  const busy = at(1) + at(2) + at(3) + at(6) + at(7) + at(8);
  const tasks = at(1) + at(2) + at(3);
  return { name: fields[0] ?? '', ticks: { busy, total: busy + at(4) + at(5), tasks, stolen: at(8) } };
}

/** RAM disks and loop devices are not hardware that could be busy. */
export const virtualDisk = /^(loop|ram|zram|sr|fd)\d/;

/**
 * `   8       0 sda 1 2 3 …` of /proc/diskstats: the tenth field after the name is the time with active requests, in
 * ms.
 */
function diskLine(line: string, disks: Map<string, number>): void {
  const fields = fieldsOf(line);
  const [, , name = ''] = fields;
  const busyMs = Number(fields[12]);
  if (fields.length >= 14 && Number.isFinite(busyMs) && !virtualDisk.test(name)) disks.set(name, busyMs);
}

/** `  eth0: 1 2 3 …` of /proc/net/dev; false for a line of another file. */
function interfaceLine(line: string, interfaces: Map<string, InterfaceCounters>): boolean {
  const colon = line.indexOf(':');
  if (colon < 0 || line.includes('(')) return false;
  const fields = fieldsOf(line.slice(colon + 1));
  if (fields.length < 16) return false;
  interfaces.set(line.slice(0, colon).trim(), { inBytes: Number(fields[0]), outBytes: Number(fields[8]) });
  return true;
}

function udpCounters(names: readonly string[], values: readonly string[]): HostReading['udp'] {
  const value = (name: string): number | undefined => {
    const position = names.indexOf(name);
    return position < 0 || values[position] === undefined ? undefined : Number(values[position]);
  };
  const inErrors = value('InErrors');
  const receiveBufferErrors = value('RcvbufErrors');
  return inErrors === undefined || receiveBufferErrors === undefined
    ? undefined
    : { inErrors, receiveBufferErrors, sendBufferErrors: value('SndbufErrors') };
}

/**
 * Files without line names: `loadavg` has a field with a slash, `uptime` two fields, a process its name in parentheses.
 */
function plainLine(line: string, found: Writable<ProcText> & { processStats: ProcessStat[] }): void {
  if (line.includes('(')) {
    const stat = parseProcessStat(line);
    if (stat) found.processStats.push(stat);
    return;
  }
  const fields = fieldsOf(line);
  if (fields.length === 5 && fields[3]?.includes('/'))
    found.load = [Number(fields[0]), Number(fields[1]), Number(fields[2])];
  else if (fields.length === 2) found.uptimeMs = Number(fields[0]) * 1000;
}

/** `/proc/PID/stat`. The name may contain parentheses and spaces, so fields count from the last one. */
export function parseProcessStat(line: string): ProcessStat | undefined {
  const end = line.lastIndexOf(')');
  if (end < 0) return undefined;
  const fields = line.slice(end + 2).split(' ');
  const at = (position: number): number => Number(fields[position] ?? NaN);
  const stat = {
    pid: Number.parseInt(line, 10),
    parentPid: at(1),
    childTicks: at(13) + at(14),
    cpuTicks: at(11) + at(12),
    threads: at(17),
    startTicks: at(19),
    residentPages: at(21),
  };
  if (!Object.values(stat).every(Number.isFinite)) return undefined;
  return { ...stat, name: line.slice(line.indexOf('(') + 1, end) };
}

/** `/proc/self/limits`: the hard limit of open files; undefined when unlimited or missing. */
export function parseOpenFilesLimit(text: string): number | undefined {
  const match = /^Max open files\s+\S+\s+(\d+)/m.exec(text);
  return match ? Number(match[1]) : undefined;
}
