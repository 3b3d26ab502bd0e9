import { quoted } from './prometheusApi';

/** PromQL by series for a past range; `{label}` in a series' name stands for the value of that label. */
export function rangeQueries(instance: string, windowMs: number): Readonly<Record<string, string>> {
  return hostRangeQueries(`instance=${quoted(instance)}`, windowMs, windowMs);
}

/**
 * The same for any `match`, e.g. `instance="h:9100",job="node"`. Without `latestMs` Prometheus repeats a value for up
 * to five minutes; with it a value is no older, so that a gap stays one.
 */
export function hostRangeQueries(match: string, windowMs: number, latestMs: number): Readonly<Record<string, string>> {
  const of = (more = ''): string => `{${match}${more}}`;
  const window = seconds(windowMs);
  const idle = of(',mode=~"idle|iowait"');
  const rate = (metric: string): string => `rate(${metric}${of()}${window})`;
  const latest = (metric: string): string => `last_over_time(${metric}${of()}${seconds(latestMs)})`;
  const cpu = (by: string): string =>
    `100 * (1 - sum${by} (rate(node_cpu_seconds_total${idle}${window})) / sum${by} (rate(node_cpu_seconds_total${of()}${window})))`;
  return {
    cpuPercent: cpu(''),
    'cpuCorePercent:{cpu}': cpu(' by (cpu)'),
    load1: latest('node_load1'),
    load5: latest('node_load5'),
    load15: latest('node_load15'),
    memoryUsedBytes: `${latest('node_memory_MemTotal_bytes')} - ${latest('node_memory_MemAvailable_bytes')}`,
    'networkInMbps:{device}': `${rate('node_network_receive_bytes_total')} / 125000`,
    'networkOutMbps:{device}': `${rate('node_network_transmit_bytes_total')} / 125000`,
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
