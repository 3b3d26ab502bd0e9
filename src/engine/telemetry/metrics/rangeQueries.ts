import { quoted } from './prometheusApi';

/** PromQL by series for a past range; `{label}` in a series' name stands for the value of that label. */
export function rangeQueries(instance: string, windowMs: number): Readonly<Record<string, string>> {
  const of = (more = ''): string => `{instance=${quoted(instance)}${more}}`;
  const window = `[${Math.ceil(windowMs / 1000)}s]`;
  const idle = of(',mode=~"idle|iowait"');
  const rate = (metric: string): string => `rate(${metric}${of()}${window})`;
  const cpu = (by: string): string =>
    `100 * (1 - sum${by} (rate(node_cpu_seconds_total${idle}${window})) / sum${by} (rate(node_cpu_seconds_total${of()}${window})))`;
  return {
    cpuPercent: cpu(''),
    'cpuCorePercent:{cpu}': cpu(' by (cpu)'),
    load1: `node_load1${of()}`,
    load5: `node_load5${of()}`,
    load15: `node_load15${of()}`,
    memoryUsedBytes: `node_memory_MemTotal_bytes${of()} - node_memory_MemAvailable_bytes${of()}`,
    'networkInMbps:{device}': `${rate('node_network_receive_bytes_total')} / 125000`,
    'networkOutMbps:{device}': `${rate('node_network_transmit_bytes_total')} / 125000`,
    udpInErrorsPerSecond: rate('node_netstat_Udp_InErrors'),
    udpReceiveBufferErrorsPerSecond: rate('node_netstat_Udp_RcvbufErrors'),
    udpSendBufferErrorsPerSecond: rate('node_netstat_Udp_SndbufErrors'),
    socketsUsed: `node_sockstat_sockets_used${of()}`,
    tcpSockets: `node_sockstat_TCP_inuse${of()} + node_sockstat_TCP6_inuse${of()} or node_sockstat_TCP_inuse${of()}`,
    udpSockets: `node_sockstat_UDP_inuse${of()} + node_sockstat_UDP6_inuse${of()} or node_sockstat_UDP_inuse${of()}`,
  };
}
