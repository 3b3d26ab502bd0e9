import type { MachineFingerprint } from '../../../domain/model/node';
import { coreNumber, type CpuCounters, type HostReading, type InterfaceCounters } from '../hostRates';
import { virtualDisk } from '../procParse';
import type { InterfaceFacts, NetworkStructure } from '../../../domain/node/wires';
import { metricValue, type Metrics } from './exposition';
import { canonicalMetrics, namesOf, reclaimable } from './hostMetricNames';

/** The metrics of node_exporter that a reading needs. */
const counterMetrics = [
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
  'node_filesystem_avail_bytes',
  ...reclaimable,
] as const;

/** What is known of the network interfaces; they are values of 1 with labels, or constants. */
export const structureMetrics = [
  'node_network_info',
  'node_network_iface_id',
  'node_network_iface_link',
  'node_network_speed_bytes',
  'node_network_route_info',
] as const;

/** Every name, of any system and version, that a reading needs. */
export const readingNames: ReadonlySet<string> = new Set(namesOf([...counterMetrics, ...structureMetrics]));

/** Constants of the machine and the exporter. */
const machineMetrics = [
  'node_uname_info',
  'node_os_info',
  'node_cpu_info',
  'node_exporter_build_info',
  'windows_exporter_build_info',
] as const;
/** Metrics of a machine, of any system and version, with the figures that describe it. */
export const machineNames: ReadonlySet<string> = new Set(
  namesOf([...machineMetrics, 'node_memory_MemTotal_bytes', 'node_cpu_seconds_total']),
);

/** Makes a reading from node_exporter's metrics, taken at `monotonicMs`. What its collectors don't report is absent. */
export function nodeReading(reported: Metrics, monotonicMs: number): HostReading {
  const metrics = canonicalMetrics(reported);
  const value = (name: (typeof counterMetrics)[number]): number | undefined => {
    const found = metricValue(metrics, name);
    return found !== undefined && Number.isFinite(found) ? found : undefined;
  };
  const [one, five, fifteen] = [value('node_load1'), value('node_load5'), value('node_load15')];
  const total = value('node_memory_MemTotal_bytes');
  const available = value('node_memory_MemAvailable_bytes') ?? reclaimableBytes(value);
  const inErrors = value('node_netstat_Udp_InErrors');
  const receiveBufferErrors = value('node_netstat_Udp_RcvbufErrors');
  return {
    monotonicMs,
    cpu: cpuCounters(metrics),
    load: one === undefined || five === undefined || fifteen === undefined ? undefined : [one, five, fifteen],
    memoryUsedBytes: total === undefined || available === undefined ? undefined : total - available,
    interfaces: interfaceCounters(metrics),
    network: networkStructure(metrics),
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
    diskFreeBytes: metricValue(metrics, 'node_filesystem_avail_bytes', { mountpoint: '/' }),
  };
}

/** What an exporter of another system, or with fewer collectors, does not report; empty where all is there. */
export function lackingFigures({ cpu, load, memoryUsedBytes, interfaces, udp, sockets }: HostReading): string[] {
  const figures: ReadonlyArray<readonly [string, unknown]> = [
    ['CPU', cpu],
    ['memory', memoryUsedBytes],
    ['traffic', interfaces],
    ['load average', load],
    ['UDP errors', udp],
    ['sockets', sockets?.all ?? sockets?.tcp ?? sockets?.udp],
  ];
  return figures.flatMap(([name, value]) => (value === undefined ? [name] : []));
}

/** Whether these are a host's, of a node_exporter or windows_exporter. */
export function isNodeExporter(metrics: Metrics): boolean {
  return [...readingNames].some((name) => metrics.has(name));
}

/** The machine as node_exporter reports it; the CPU's name only with `--collector.cpu.info`. */
export function nodeMachine(reported: Metrics): MachineFingerprint {
  const metrics = canonicalMetrics(reported);
  const label = (name: (typeof machineMetrics)[number], key: string): string =>
    metrics.get(name)?.[0]?.labels[key] ?? '';
  const version = label('node_exporter_build_info', 'version');
  const ofWindows = label('windows_exporter_build_info', 'version');
  return {
    system:
      `${label('node_os_info', 'pretty_name') || label('node_uname_info', 'sysname')} ${label('node_uname_info', 'machine')}`.trim(),
    kernel: label('node_uname_info', 'release'),
    cpuModel: label('node_cpu_info', 'model_name'),
    cores: cpuCounters(metrics)?.cores.size ?? 0,
    memoryBytes: metricValue(metrics, 'node_memory_MemTotal_bytes') ?? 0,
    versions: version ? { node_exporter: version } : ofWindows ? { windows_exporter: ofWindows } : {},
  };
}

/** Undefined where the system reports what is free only together with other memory. */
function reclaimableBytes(value: (name: (typeof reclaimable)[number]) => number | undefined): number | undefined {
  if (value('node_memory_MemFree_bytes') === undefined) return undefined;
  return reclaimable.reduce((total, name) => total + (value(name) ?? 0), 0);
}

/**
 * How the interfaces depend on each other, as far as an exporter reports it: MAC addresses, links of stacked ones, and
 * with `--collector.network_route` the routes.
 */
export function networkStructure(metrics: Metrics): NetworkStructure {
  const found = new Map<string, { -readonly [K in keyof InterfaceFacts]: InterfaceFacts[K] }>();
  const at = (device = ''): { -readonly [K in keyof InterfaceFacts]: InterfaceFacts[K] } => {
    const known = found.get(device) ?? {};
    found.set(device, known);
    return known;
  };
  for (const { labels } of metrics.get('node_network_info') ?? []) {
    const { address = '', device, operstate } = labels;
    const facts = at(device);
    if (/[1-9a-f]/i.test(address)) facts.address = address.toLowerCase();
    if (operstate === 'down') facts.isDown = true;
  }
  const nameById = new Map(
    metrics.get('node_network_iface_id')?.map(({ labels, value }) => [value, labels.device] as const),
  );
  for (const { labels, value } of metrics.get('node_network_iface_link') ?? []) {
    const lower = nameById.get(value);
    // At one end of a pair it is the number of the other end, in another namespace: of any interface here.
    const { device = '' } = labels;
    const isPair = /^(veth|eth|en|vo)/.test(device) && !device.startsWith(`${lower}.`);
    if (lower !== undefined && lower !== device && !isPair) at(device).lowers = [lower];
  }
  for (const { labels, value } of metrics.get('node_network_speed_bytes') ?? [])
    // Without hardware a speed is a default of its driver.
    if (value > 0 && !/^(veth|tun|tap|br|docker|virbr|vnet|lxc|cni)/.test(labels.device ?? ''))
      at(labels.device).speedMbps = (value * 8) / 1e6;
  for (const { labels } of metrics.get('node_network_route_info') ?? []) {
    const facts = at(labels.device);
    facts.hasRoute = true;
    if (labels.gw) facts.hasGateway = true;
    if (/^(default|0\.0\.0\.0\/0|::\/0|)$/.test(labels.dest ?? '-')) facts.hasDefaultRoute = true;
  }
  return found;
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
