/** Parsers of /proc's text: text in, counters out. A line that is not there gives undefined, never 0. */

/** CPU time so far in clock ticks. */
export interface CpuTicks {
  readonly busy: number;
  readonly total: number;
}

export interface CpuCounters {
  readonly all: CpuTicks;
  readonly cores: readonly CpuTicks[];
}

/** `/proc/stat`: all cores together and each. Waiting for I/O counts as idle; guest time is already in user time. */
export function parseStat(text: string): CpuCounters | undefined {
  let all: CpuTicks | undefined;
  const cores: CpuTicks[] = [];
  for (const match of text.matchAll(/^cpu(\d*)\s+(.+)$/gm)) {
    const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = (
      match[2] ?? ''
    )
      .trim()
      .split(/\s+/)
      .map(Number);
    const busy = user + nice + system + irq + softIrq + steal;
    const ticks = { busy, total: busy + idle + ioWait };
    if (match[1]) cores[Number(match[1])] = ticks;
    else all = ticks;
  }
  return all && { all, cores };
}

/** `/proc/loadavg`. */
export function parseLoad(text: string): readonly [number, number, number] | undefined {
  const match = /^([\d.]+) ([\d.]+) ([\d.]+) /.exec(text);
  return match ? [Number(match[1]), Number(match[2]), Number(match[3])] : undefined;
}

/** `/proc/meminfo`: MemTotal less MemAvailable. */
export function parseMemoryUsedBytes(text: string): number | undefined {
  const kilobytes = (name: string): number | undefined => {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(text);
    return match ? Number(match[1]) : undefined;
  };
  const total = kilobytes('MemTotal');
  const available = kilobytes('MemAvailable');
  return total === undefined || available === undefined ? undefined : (total - available) * 1024;
}

/** `/proc/net/dev`: bytes of all interfaces together, loopback included. */
export function parseNetwork(
  text: string,
): { readonly inBytes: number; readonly outBytes: number } | undefined {
  let inBytes = 0;
  let outBytes = 0;
  let found = false;
  for (const match of text.matchAll(/^\s*[^\s:]+:\s*(\d.*)$/gm)) {
    const fields = (match[1] ?? '').trim().split(/\s+/).map(Number);
    inBytes += fields[0] ?? 0;
    outBytes += fields[8] ?? 0;
    found = true;
  }
  return found ? { inBytes, outBytes } : undefined;
}

/** `/proc/net/snmp`: the UDP counters that tell of datagrams lost on this host. */
export function parseUdp(
  text: string,
): { readonly inErrors: number; readonly receiveBufferErrors: number } | undefined {
  const [names, values] = [...text.matchAll(/^Udp: (.+)$/gm)].map((match) =>
    (match[1] ?? '').trim().split(/\s+/),
  );
  const value = (name: string): number | undefined => {
    const position = names?.indexOf(name) ?? -1;
    const text = position >= 0 ? values?.[position] : undefined;
    return text === undefined ? undefined : Number(text);
  };
  const inErrors = value('InErrors');
  const receiveBufferErrors = value('RcvbufErrors');
  return inErrors === undefined || receiveBufferErrors === undefined
    ? undefined
    : { inErrors, receiveBufferErrors };
}

/** `/proc/self/limits`: the hard limit of open files; undefined when unlimited or not told. */
export function parseOpenFilesLimit(text: string): number | undefined {
  const match = /^Max open files\s+\S+\s+(\d+)/m.exec(text);
  return match ? Number(match[1]) : undefined;
}
