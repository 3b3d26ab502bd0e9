import type { MachineFingerprint } from '../../../domain/model/node';
import { coreNumber, type CpuCounters, type HostReading, type InterfaceCounters } from '../hostRates';
import { virtualDisk } from '../procParse';
import { metricValue, type Metrics } from './exposition';

/** The metrics of node_exporter that a reading needs. */
export const counterMetrics = [
  'node_cpu_seconds_total',
  'node_load1',
  'node_load5',
  'node_load15',
  'node_memory_MemTotal_bytes',
  'node_memory_MemAvailable_bytes',
  'node_network_receive_bytes_total',
  'node_network_transmit_bytes_total',
  'node_netstat_Udp_InErrors',
  'node_netstat_Udp_RcvbufErrors',
  'node_netstat_Udp_SndbufErrors',
  'node_sockstat_sockets_used',
  'node_sockstat_TCP_inuse',
  'node_sockstat_TCP6_inuse',
  'node_sockstat_UDP_inuse',
  'node_sockstat_UDP6_inuse',
  'node_pressure_cpu_waiting_seconds_total',
  'node_disk_io_time_seconds_total',
] as const;

/** Constants of the machine and the exporter. */
export const machineMetrics = ['node_uname_info', 'node_os_info', 'node_cpu_info', 'node_exporter_build_info'] as const;

/** Makes a reading from node_exporter's metrics, taken at `monotonicMs`. What its collectors don't report is absent. */
export function nodeReading(metrics: Metrics, monotonicMs: number): HostReading {
  const value = (name: (typeof counterMetrics)[number]): number | undefined => {
    const found = metricValue(metrics, name);
    return found !== undefined && Number.isFinite(found) ? found : undefined;
  };
  const [one, five, fifteen] = [value('node_load1'), value('node_load5'), value('node_load15')];
  const total = value('node_memory_MemTotal_bytes');
  const available = value('node_memory_MemAvailable_bytes');
  const inErrors = value('node_netstat_Udp_InErrors');
  const receiveBufferErrors = value('node_netstat_Udp_RcvbufErrors');
  return {
    monotonicMs,
    cpu: cpuCounters(metrics),
    load: one === undefined || five === undefined || fifteen === undefined ? undefined : [one, five, fifteen],
    memoryUsedBytes: total === undefined || available === undefined ? undefined : total - available,
    interfaces: interfaceCounters(metrics),
    udp:
      inErrors === undefined || receiveBufferErrors === undefined
        ? undefined
        : { inErrors, receiveBufferErrors, sendBufferErrors: value('node_netstat_Udp_SndbufErrors') },
    sockets: {
      all: value('node_sockstat_sockets_used'),
      tcp: sum(value('node_sockstat_TCP_inuse'), value('node_sockstat_TCP6_inuse')),
      udp: sum(value('node_sockstat_UDP_inuse'), value('node_sockstat_UDP6_inuse')),
    },
    cpuPressureMs: milliseconds(value('node_pressure_cpu_waiting_seconds_total')),
    disksBusyMs: disksBusyMs(metrics),
  };
}

/** Whether these are a node_exporter's. */
export function isNodeExporter(metrics: Metrics): boolean {
  return counterMetrics.some((name) => metrics.has(name));
}

/** The machine as node_exporter reports it; the CPU's name only with `--collector.cpu.info`. */
export function nodeMachine(metrics: Metrics): MachineFingerprint {
  const label = (name: (typeof machineMetrics)[number], key: string): string =>
    metrics.get(name)?.[0]?.labels[key] ?? '';
  const version = label('node_exporter_build_info', 'version');
  return {
    system:
      `${label('node_os_info', 'pretty_name') || label('node_uname_info', 'sysname')} ${label('node_uname_info', 'machine')}`.trim(),
    kernel: label('node_uname_info', 'release'),
    cpuModel: label('node_cpu_info', 'model_name'),
    cores: cpuCounters(metrics)?.cores.size ?? 0,
    memoryBytes: metricValue(metrics, 'node_memory_MemTotal_bytes') ?? 0,
    versions: version ? { node_exporter: version } : {},
  };
}

function sum(one: number | undefined, other: number | undefined): number | undefined {
  return one === undefined ? other : one + (other ?? 0);
}

function milliseconds(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : seconds * 1000;
}

function disksBusyMs(metrics: Metrics): HostReading['disksBusyMs'] {
  const disks = new Map<string, number>();
  for (const { labels, value } of metrics.get('node_disk_io_time_seconds_total') ?? [])
    if (labels.device !== undefined && Number.isFinite(value) && !virtualDisk.test(labels.device))
      disks.set(labels.device, value * 1000);
  return disks.size > 0 ? disks : undefined;
}

/** In seconds. Waiting for I/O counts as idle; guest time is already in user time. */
function cpuCounters(metrics: Metrics): CpuCounters | undefined {
  const cores = new Map<number, { busy: number; total: number; stolen: number }>();
  for (const { labels, value } of metrics.get('node_cpu_seconds_total') ?? []) {
    const index = coreNumber(labels.cpu ?? '');
    if (index === undefined || !Number.isFinite(value)) continue;
    const core = cores.get(index) ?? { busy: 0, total: 0, stolen: 0 };
    cores.set(index, core);
    core.total += value;
    if (labels.mode !== 'idle' && labels.mode !== 'iowait') core.busy += value;
    if (labels.mode === 'steal') core.stolen += value;
  }
  if (cores.size === 0) return undefined;
  const all = { busy: 0, total: 0, stolen: 0 };
  for (const core of cores.values()) {
    all.busy += core.busy;
    all.total += core.total;
    all.stolen += core.stolen;
  }
  return { all, cores };
}

function interfaceCounters(metrics: Metrics): HostReading['interfaces'] {
  const interfaces = new Map<string, InterfaceCounters>();
  const sent = new Map(
    metrics.get('node_network_transmit_bytes_total')?.map(({ labels, value }) => [labels.device, value]),
  );
  for (const { labels, value: inBytes } of metrics.get('node_network_receive_bytes_total') ?? []) {
    const { device } = labels;
    const outBytes = sent.get(device);
    if (device !== undefined && outBytes !== undefined) interfaces.set(device, { inBytes, outBytes });
  }
  return interfaces.size > 0 ? interfaces : undefined;
}
