/**
 * PromQL by series for a past range of a host, of any system; `{label}` in a series' name stands for the value of that
 * label. For any `match`, e.g. `instance="h:9100",job="node"`. Without `latestMs` Prometheus repeats a value for up
 * to five minutes; with it a value is no older, so that a gap stays one.
 */
export function hostRangeQueries(match: string, windowMs: number, latestMs: number): Readonly<Record<string, string>> {
  const of = (more = ''): string => `{${match}${more}}`;
  const window = seconds(windowMs);
  const idle = of(',mode=~"idle|iowait"');
  const rate = (metric: string): string => `rate(${metric}${of()}${window})`;
  const latest = (metric: string): string => `last_over_time(${metric}${of()}${seconds(latestMs)})`;
  const busy = (metric: string, by: string, all = of()): string =>
    `100 * (1 - sum${by} (rate(${metric}${idle}${window})) / sum${by} (rate(${metric}${all}${window})))`;
  // Windows' privileged time includes that of interrupts and DPCs.
  const ofWindows = of(',mode!~"interrupt|dpc"');
  const cpu = (by: string): string[] => [
    busy('node_cpu_seconds_total', by),
    busy('node_cpu', by),
    busy('windows_cpu_time_total', by.replace('cpu', 'core'), ofWindows),
    busy('wmi_cpu_time_total', by.replace('cpu', 'core'), ofWindows),
  ];
  const [linuxCores, oldCores, windowsCores, wmiCores] = cpu(' by (cpu)') as [string, string, string, string];
  const asCpu = (query: string, label: string, pattern: string): string =>
    `label_replace(${query}, "cpu", "$1", "${label}", "${pattern}")`;
  const used = (total: string, ...free: readonly string[]): string => [total, ...free].map(latest).join(' - ');
  const device = (query: string): string => `label_replace(${query}, "device", "$1", "nic", "(.*)")`;
  const either = (...queries: readonly string[]): string => queries.join(' or ');
  const bytesOf = (received: boolean): string =>
    either(
      `${rate(`node_network_${received ? 'receive' : 'transmit'}_bytes_total`)} / 125000`,
      `${rate(`node_network_${received ? 'receive' : 'transmit'}_bytes`)} / 125000`,
      ...['windows', 'wmi'].map((name) =>
        device(`${rate(`${name}_net_bytes_${received ? 'received' : 'sent'}_total`)} / 125000`),
      ),
    );
  return {
    cpuPercent: either(...cpu('')),
    'cpuCorePercent:{cpu}': either(
      linuxCores,
      asCpu(oldCores, 'cpu', 'cpu(.*)'),
      asCpu(windowsCores, 'core', '.*,(.*)'),
      asCpu(wmiCores, 'core', '.*,(.*)'),
    ),
    load1: latest('node_load1'),
    load5: latest('node_load5'),
    load15: latest('node_load15'),
    memoryUsedBytes: either(
      used('node_memory_MemTotal_bytes', 'node_memory_MemAvailable_bytes'),
      used('node_memory_MemTotal', 'node_memory_MemAvailable'),
      used('node_memory_size_bytes', 'node_memory_free_bytes', 'node_memory_inactive_bytes'),
      used('node_memory_total_bytes', 'node_memory_free_bytes', 'node_memory_inactive_bytes'),
      used('windows_memory_physical_total_bytes', 'windows_memory_available_bytes'),
      used('windows_cs_physical_memory_bytes', 'windows_os_physical_memory_free_bytes'),
      used('windows_cs_physical_memory_bytes', 'windows_memory_available_bytes'),
      used('wmi_cs_physical_memory_bytes', 'wmi_os_physical_memory_free_bytes'),
    ),
    'networkInMbps:{device}': bytesOf(true),
    'networkOutMbps:{device}': bytesOf(false),
    udpInErrorsPerSecond: rate('node_netstat_Udp_InErrors'),
    udpReceiveBufferErrorsPerSecond: rate('node_netstat_Udp_RcvbufErrors'),
    udpSendBufferErrorsPerSecond: rate('node_netstat_Udp_SndbufErrors'),
    socketsUsed: latest('node_sockstat_sockets_used'),
    tcpSockets: `${latest('node_sockstat_TCP_inuse')} + ${latest('node_sockstat_TCP6_inuse')} or ${latest('node_sockstat_TCP_inuse')}`,
    udpSockets: `${latest('node_sockstat_UDP_inuse')} + ${latest('node_sockstat_UDP6_inuse')} or ${latest('node_sockstat_UDP_inuse')}`,
  };
}

/** A range selector's window, in whole seconds. */
export function seconds(ms: number): string {
  return `[${Math.ceil(ms / 1000)}s]`;
}
