import { plausibleMbps, wiresOf, type NetworkStructure } from '../../domain/node/wires';
import type { SeriesId } from '../../domain/series/series';

/** Cumulative CPU time in any constant unit: only ratios are computed. */
export interface CpuTicks {
  readonly busy: number;
  readonly total: number;
  /** Part of `busy` used by programs and kernel tasks: without interrupts and without steal time. */
  readonly tasks?: number;
  /** Part of `busy` that the hypervisor gave to other virtual machines. */
  readonly stolen?: number;
}

export interface CpuCounters {
  readonly all: CpuTicks;
  /** By core number; an offline core is absent. */
  readonly cores: ReadonlyMap<number, CpuTicks>;
}

/** More than any machine has. Higher numbers from a host are invalid, and create no series. */
const maxCores = 4096;

/** A core number as reported by a host; undefined when invalid. */
export function coreNumber(text: string): number | undefined {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  return number < maxCores ? number : undefined;
}

export interface InterfaceCounters {
  readonly inBytes: number;
  readonly outBytes: number;
}

/** One process of the media server. */
export interface ProcessReading {
  readonly pid: number;
  readonly parentPid?: number;
  /** Its start time, in a unit of the host: another value for the same pid is another process. */
  readonly startedAt: number;
  /** Cumulative user and system time, where `parentPid` is known with that of ended children. */
  readonly cpuSeconds: number;
  readonly memoryBytes: number;
  readonly threads: number;
  /** Absent without permission to count them. */
  readonly openFiles?: number;
  /** Cumulative time that its threads were runnable but waited for a processor; absent where it was not read. */
  readonly waitedMs?: number;
}

/** Counters of a host at one time; what the host does not report is absent. */
export interface HostReading {
  /**
   * Monotonic time of the reading in ms: rates are over the measured interval, so a late reading yields a correct rate.
   */
  readonly monotonicMs: number;
  readonly cpu?: CpuCounters;
  readonly load?: readonly [number, number, number];
  readonly memoryUsedBytes?: number;
  readonly interfaces?: ReadonlyMap<string, InterfaceCounters>;
  /** How the interfaces depend on each other; absent where only names are known. */
  readonly network?: NetworkStructure;
  readonly udp?: {
    readonly inErrors: number;
    readonly receiveBufferErrors: number;
    readonly sendBufferErrors?: number;
  };
  readonly sockets?: { readonly all?: number; readonly tcp?: number; readonly udp?: number };
  /** Cumulative time in which at least one task waited for a processor. */
  readonly cpuPressureMs?: number;
  /** Cumulative time in which each disk had active requests, by its name. */
  readonly disksBusyMs?: ReadonlyMap<string, number>;
  /** Space that programs can still use on the root file system; not in each reading. */
  readonly diskFreeBytes?: number | undefined;
  /** The media server's processes; several when it runs several of one name. */
  readonly processes?: readonly ProcessReading[];
  /**
   * Other processes of the test on this host: our agents, and servers of other nodes. Absent where they can't be
   * distinguished from other programs.
   */
  readonly ours?: readonly ProcessReading[];
  /** Processes of this console, on its own machine. */
  readonly console?: readonly ProcessReading[];
}

export type HostValues = Partial<Record<SeriesId, number>>;

/** How an interval's traffic is counted. */
export type NetworkCount =
  /** Each wire once, and loopback: media of a lab on this machine uses it. */
  | 'this-machine'
  /** Each wire once, in total and per interface. */
  | 'remote';

/** Above this, an interval is not representative of the second it is shown at. */
export const longestIntervalMs = 5000;
/** Below this, a counter with coarse steps yields no usable rate: half an interval. */
const shortestIntervalMs = 500;
const maxInterfaces = 16;

/**
 * Rates between two readings of a host. A counter that ran backwards (a reset) yields no value, nor
 * does an interval longer than `longestMs` (by default 5 s) or shorter than half a second.
 */
export function hostValues(
  before: HostReading | undefined,
  now: HostReading,
  count: NetworkCount = 'this-machine',
  longestMs = longestIntervalMs,
): HostValues {
  const values = valuesBetween(before, now, count, longestMs);
  // A host that writes no number in a number field has no such figure.
  return Object.fromEntries(Object.entries(values).filter(([, value]) => Number.isFinite(value)));
}

function valuesBetween(
  before: HostReading | undefined,
  now: HostReading,
  count: NetworkCount,
  longestMs: number,
): HostValues {
  const values: HostValues = {};
  if (now.load) [values.load1, values.load5, values.load15] = now.load;
  if (now.memoryUsedBytes !== undefined) values.memoryUsedBytes = now.memoryUsedBytes;
  if (now.diskFreeBytes !== undefined) values.diskFreeBytes = now.diskFreeBytes;
  if (now.sockets?.all !== undefined) values.socketsUsed = now.sockets.all;
  if (now.sockets?.tcp !== undefined) values.tcpSockets = now.sockets.tcp;
  if (now.sockets?.udp !== undefined) values.udpSockets = now.sockets.udp;
  putProcesses(values, before, now, longestMs);
  if (!before) return values;

  const seconds = (now.monotonicMs - before.monotonicMs) / 1000;
  if (seconds * 1000 < shortestIntervalMs || seconds * 1000 > longestMs) return values;
  const put = (series: SeriesId, earlier: number | undefined, later: number | undefined): void => {
    if (earlier !== undefined && later !== undefined && later >= earlier) values[series] = (later - earlier) / seconds;
  };

  const all = busyPercent(before.cpu?.all, now.cpu?.all);
  if (all !== undefined) values.cpuPercent = all;
  now.cpu?.cores.forEach((core, index) => {
    const busy = busyPercent(before.cpu?.cores.get(index), core);
    if (busy !== undefined) values[`cpuCorePercent:${index}`] = busy;
  });
  const stolen = shareOf('stolen', before.cpu?.all, now.cpu?.all);
  if (stolen !== undefined) values.stolenCpuPercent = stolen;
  putOthers(values, before, now, seconds);
  const pressure = between(before.cpuPressureMs, now.cpuPressureMs);
  if (pressure !== undefined) values.cpuPressurePercent = Math.min(100, pressure / seconds / 10);
  const disk = busiestDisk(before.disksBusyMs, now.disksBusyMs);
  if (disk !== undefined) values.diskBusyPercent = Math.min(100, disk / seconds / 10);
  if (before.interfaces && now.interfaces) putNetwork(values, before.interfaces, now, seconds, count);
  put('udpInErrorsPerSecond', before.udp?.inErrors, now.udp?.inErrors);
  put('udpReceiveBufferErrorsPerSecond', before.udp?.receiveBufferErrors, now.udp?.receiveBufferErrors);
  put('udpSendBufferErrorsPerSecond', before.udp?.sendBufferErrors, now.udp?.sendBufferErrors);
  return values;
}

function busyPercent(before: CpuTicks | undefined, now: CpuTicks | undefined): number | undefined {
  if (!before || !now) return undefined;
  const total = now.total - before.total;
  const busy = now.busy - before.busy;
  return total <= 0 || busy < 0 ? undefined : Math.min(100, (100 * busy) / total);
}

/** A part of all cores' time in percent; undefined where it is not reported separately. */
function shareOf(
  part: 'tasks' | 'stolen',
  before: CpuTicks | undefined,
  now: CpuTicks | undefined,
): number | undefined {
  const spent = between(before?.[part], now?.[part]);
  const total = between(before?.total, now?.total);
  return spent === undefined || !total ? undefined : Math.min(100, (100 * spent) / total);
}

/** Increase of a counter; undefined after a reset. */
function between(before: number | undefined, now: number | undefined): number | undefined {
  return before === undefined || now === undefined || now < before ? undefined : now - before;
}

/**
 * CPU time of processes between two readings. A parent's counter grows by all time of an ended child, of which what was
 * read before is subtracted.
 */
function spentSeconds(before: readonly ProcessReading[], now: readonly ProcessReading[]): number {
  const known = new Map(before.map((one) => [one.pid, one]));
  const current = new Map(now.map((one) => [one.pid, one]));
  const grown = new Map<number, number>();
  for (const { pid, startedAt, cpuSeconds } of now) {
    const earlier = known.get(pid);
    if (earlier?.startedAt === startedAt) grown.set(pid, Math.max(0, cpuSeconds - earlier.cpuSeconds));
  }
  for (const { pid, startedAt, cpuSeconds, parentPid } of before) {
    if (current.get(pid)?.startedAt === startedAt || parentPid === undefined) continue;
    const ofParent = grown.get(parentPid);
    if (ofParent !== undefined) grown.set(parentPid, Math.max(0, ofParent - cpuSeconds));
  }
  return [...grown.values()].reduce((sum, count) => sum + count, 0);
}

/**
 * The host's CPU and memory used by programs outside the test. Interrupts are not included: they are mostly the test's
 * own packets. Kernels account processes and cores differently, so the rest of an idle host may be slightly below 0.
 */
function putOthers(values: HostValues, before: HostReading, now: HostReading, seconds: number): void {
  const { ours } = now;
  const tasks = shareOf('tasks', before.cpu?.all, now.cpu?.all);
  if (!ours || !before.ours || tasks === undefined) return;
  const measured = [...(now.processes ?? []), ...ours];
  const cores = Math.max(1, now.cpu?.cores.size ?? 1);
  const percentOf = (spent: number): number => (100 * spent) / (seconds * cores);
  const ofTest = percentOf(spentSeconds([...(before.processes ?? []), ...before.ours], measured));
  const ofConsole = before.console && now.console ? percentOf(spentSeconds(before.console, now.console)) : undefined;
  // Ticks of processes and of cores are counted separately: a part never exceeds what the programs used together.
  if (ofConsole !== undefined) values.consoleCpuPercent = Math.min(ofConsole, tasks);
  values.otherCpuPercent = Math.max(0, tasks - ofTest - (ofConsole ?? 0));
  if (now.memoryUsedBytes !== undefined)
    values.otherMemoryBytes = Math.max(
      0,
      now.memoryUsedBytes - measured.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0),
    );
}

/** Increase of the disk that was busy for longest. */
function busiestDisk(before: HostReading['disksBusyMs'], now: HostReading['disksBusyMs']): number | undefined {
  const grown = [...(now ?? [])].flatMap(([name, busyMs]) => between(before?.get(name), busyMs) ?? []);
  return grown.length > 0 ? Math.max(...grown) : undefined;
}

/**
 * An interface that appeared within the interval counts from the next on; one whose counters ran backwards does not
 * count, and neither does one with a rate above its link's speed: counters of different hosts, or a wrong interval. The
 * total is unknown without one of its wires.
 */
function putNetwork(
  values: HostValues,
  before: ReadonlyMap<string, InterfaceCounters>,
  now: HostReading,
  seconds: number,
  count: NetworkCount,
): void {
  const { interfaces = new Map<string, InterfaceCounters>(), network } = now;
  const carried = (name: string): number => {
    const counters = interfaces.get(name);
    return counters ? counters.inBytes + counters.outBytes : 0;
  };
  const wires = wiresOf([...interfaces.keys()], network, carried);
  const names = count === 'remote' ? wires : [...new Set([...wires, ...loopbacksOf(interfaces.keys(), network)])];
  let [totalIn, totalOut, counted, shown] = [0, 0, 0, 0];
  for (const name of names) {
    const earlier = before.get(name);
    const later = interfaces.get(name);
    if (!earlier || !later || later.inBytes < earlier.inBytes || later.outBytes < earlier.outBytes) continue;
    const speed = network?.get(name)?.speedMbps;
    const inMbps = plausibleMbps((later.inBytes - earlier.inBytes) / seconds / 125_000, speed);
    const outMbps = plausibleMbps((later.outBytes - earlier.outBytes) / seconds / 125_000, speed);
    if (inMbps === undefined || outMbps === undefined) return;
    totalIn += inMbps;
    totalOut += outMbps;
    counted += 1;
    if (count !== 'remote' || shown >= maxInterfaces || !/^[A-Za-z0-9._@-]{1,32}$/.test(name)) continue;
    shown += 1;
    values[`networkInMbps:${name}`] = inMbps;
    values[`networkOutMbps:${name}`] = outMbps;
  }
  if (counted === 0) return;
  values.networkInMbps = totalIn;
  values.networkOutMbps = totalOut;
}

function loopbacksOf(names: Iterable<string>, network: NetworkStructure | undefined): string[] {
  return [...names].filter((name) => network?.get(name)?.kind === 'loopback' || name === 'lo');
}

/** All processes of the media server together; CPU of those present in both readings, in percent of one core. */
function putProcesses(values: HostValues, before: HostReading | undefined, now: HostReading, longestMs: number): void {
  const { processes } = now;
  if (!processes || processes.length === 0) return;
  values.processMemoryBytes = processes.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0);
  values.processThreads = processes.reduce((sum, { threads }) => sum + threads, 0);
  if (processes.every(({ openFiles }) => openFiles !== undefined))
    values.processOpenFiles = processes.reduce((sum, { openFiles = 0 }) => sum + openFiles, 0);
  const seconds = before ? (now.monotonicMs - before.monotonicMs) / 1000 : 0;
  if (seconds * 1000 < shortestIntervalMs || seconds * 1000 > longestMs) return;
  const known = new Map(before?.processes?.map((one) => [one.pid, one]));
  const spent = processes.flatMap(({ pid, startedAt, cpuSeconds }) => {
    const earlier = known.get(pid);
    return earlier?.startedAt === startedAt ? [cpuSeconds - earlier.cpuSeconds] : [];
  });
  if (spent.length > 0) values.processCpuPercent = (100 * spent.reduce((sum, one) => sum + one, 0)) / seconds;
  const waited = waitPercent(before?.processes, processes, seconds);
  if (waited !== undefined) values.processWaitPercent = waited;
}

/**
 * How long processes waited for a processor, in percent of one core; undefined unless read both times. The count of an
 * ended thread is lost.
 */
export function waitPercent(
  before: readonly ProcessReading[] | undefined,
  now: readonly ProcessReading[],
  seconds: number,
): number | undefined {
  const known = new Map(before?.map((one) => [one.pid, one]));
  const waits = now.flatMap(({ pid, startedAt, waitedMs }) => {
    const earlier = known.get(pid);
    return earlier?.startedAt === startedAt ? (between(earlier.waitedMs, waitedMs) ?? []) : [];
  });
  return waits.length > 0 ? waits.reduce((sum, one) => sum + one, 0) / seconds / 10 : undefined;
}
