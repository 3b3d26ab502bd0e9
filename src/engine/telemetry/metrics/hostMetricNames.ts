import type { MetricValue, Metrics } from './exposition';

type Labels = Readonly<Record<string, string>>;

interface Alias {
  readonly name: string;
  readonly factor?: number;
  /** The labels as node_exporter has them now; undefined for a value that is part of another one. */
  readonly labels?: (labels: Labels) => Labels | undefined;
}

const byDevice = ({ nic = '', ...rest }: Labels): Labels => ({ ...rest, device: nic });

/**
 * Names of other systems' and versions' exporters: node_exporter before 0.16, and windows_exporter, with each of its
 * `windows_` names also as `wmi_`, as it was called before 0.13.
 */
const ofWindows: Readonly<Record<string, Alias>> = {
  // Privileged time includes that of interrupts and DPCs.
  cpu_time_total: {
    name: 'node_cpu_seconds_total',
    labels: ({ core = '', mode = '' }) =>
      /^(interrupt|dpc)$/.test(mode) ? undefined : { cpu: coreOfWindows(core), mode },
  },
  net_bytes_received_total: { name: 'node_network_receive_bytes_total', labels: byDevice },
  net_bytes_sent_total: { name: 'node_network_transmit_bytes_total', labels: byDevice },
  net_current_bandwidth_bytes: { name: 'node_network_speed_bytes', labels: byDevice },
  net_current_bandwidth: { name: 'node_network_speed_bytes', factor: 1 / 8, labels: byDevice },
  memory_physical_total_bytes: { name: 'node_memory_MemTotal_bytes' },
  cs_physical_memory_bytes: { name: 'node_memory_MemTotal_bytes' },
  os_visible_memory_bytes: { name: 'node_memory_MemTotal_bytes' },
  memory_available_bytes: { name: 'node_memory_MemAvailable_bytes' },
  memory_physical_free_bytes: { name: 'node_memory_MemAvailable_bytes' },
  os_physical_memory_free_bytes: { name: 'node_memory_MemAvailable_bytes' },
  // Only that of the system; the others have no common name.
  logical_disk_free_bytes: {
    name: 'node_filesystem_avail_bytes',
    labels: ({ volume = '' }) => (volume === 'C:' ? { mountpoint: '/' } : undefined),
  },
  time_current_timestamp_seconds: { name: 'node_time_seconds' },
  os_time: { name: 'node_time_seconds' },
  os_info: {
    name: 'node_os_info',
    labels: ({ product = '', ...rest }) => ({ ...rest, pretty_name: product }),
  },
};
const old: Readonly<Record<string, Alias>> = {
  node_cpu: {
    name: 'node_cpu_seconds_total',
    labels: ({ cpu = '', ...rest }) => ({ ...rest, cpu: cpu.replace(/^cpu/, '') }),
  },
  node_network_receive_bytes: { name: 'node_network_receive_bytes_total' },
  node_network_transmit_bytes: { name: 'node_network_transmit_bytes_total' },
  node_memory_MemTotal: { name: 'node_memory_MemTotal_bytes' },
  node_memory_MemAvailable: { name: 'node_memory_MemAvailable_bytes' },
  node_memory_MemFree: { name: 'node_memory_MemFree_bytes' },
  node_memory_Buffers: { name: 'node_memory_Buffers_bytes' },
  node_memory_Cached: { name: 'node_memory_Cached_bytes' },
  node_disk_io_time_ms: { name: 'node_disk_io_time_seconds_total', factor: 1 / 1000 },
  node_filesystem_avail: { name: 'node_filesystem_avail_bytes' },
  node_time: { name: 'node_time_seconds' },
  wmi_exporter_build_info: { name: 'windows_exporter_build_info' },
  // BSDs and macOS.
  node_memory_size_bytes: { name: 'node_memory_MemTotal_bytes' },
  node_memory_total_bytes: { name: 'node_memory_MemTotal_bytes' },
  node_memory_free_bytes: { name: 'node_memory_MemFree_bytes' },
  node_memory_cache_bytes: { name: 'node_memory_Cached_bytes' },
  node_memory_size: { name: 'node_memory_MemTotal_bytes' },
  node_memory_total: { name: 'node_memory_MemTotal_bytes' },
  node_memory_free: { name: 'node_memory_MemFree_bytes' },
  node_memory_cache: { name: 'node_memory_Cached_bytes' },
  node_memory_inactive: { name: 'node_memory_inactive_bytes' },
};
const aliases: ReadonlyMap<string, Alias> = new Map([
  ...Object.entries(old),
  ...Object.entries(ofWindows).flatMap(([name, alias]): Array<[string, Alias]> => [
    [`windows_${name}`, alias],
    [`wmi_${name}`, alias],
  ]),
]);

/** Memory that a program can have although it is in use, where the system reports no sum of it. */
export const reclaimable = [
  'node_memory_MemFree_bytes',
  'node_memory_Buffers_bytes',
  'node_memory_Cached_bytes',
  'node_memory_inactive_bytes',
] as const;

/** All names under which exporters have these metrics. */
export function namesOf(metrics: readonly string[]): readonly string[] {
  const wanted = new Set(metrics);
  return [...metrics, ...[...aliases].flatMap(([name, alias]) => (wanted.has(alias.name) ? [name] : []))];
}

/** The metrics of any system and version under the names that node_exporter has on Linux now. */
export function canonicalMetrics(metrics: Metrics): Metrics {
  const found = new Map<string, MetricValue[]>();
  for (const [name, values] of metrics) {
    const alias = aliases.get(name);
    const known = found.get(alias?.name ?? name);
    // The first of several names of one metric counts: an exporter may have the old one beside the new.
    if (alias && (known || metrics.has(alias.name))) continue;
    found.set(alias?.name ?? name, alias ? values.flatMap((value) => renamed(value, alias)) : [...values]);
  }
  return found;
}

function renamed({ labels, value }: MetricValue, { factor = 1, labels: rename }: Alias): readonly MetricValue[] {
  const own = rename ? rename(labels) : labels;
  return own ? [{ labels: own, value: value * factor }] : [];
}

/** `0,3` is the fourth processor of the first group of 64. */
function coreOfWindows(core: string): string {
  const [group = 0, number] = core.split(',').map(Number);
  return number === undefined ? core : String(64 * group + number);
}
