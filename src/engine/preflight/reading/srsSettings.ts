/**
 * Settings of SRS that a rule reads, with the variable `SRS_NAME` of its environment, which since SRS 5 has precedence
 * over its file.
 */
export const srsSettings: ReadonlyArray<{ readonly variable: string; readonly path: readonly string[] }> = [
  { variable: 'MAX_CONNECTIONS', path: ['max_connections'] },
  { variable: 'VHOST_TCP_NODELAY', path: ['tcp_nodelay'] },
  { variable: 'VHOST_MIN_LATENCY', path: ['min_latency'] },
  { variable: 'VHOST_PLAY_MW_LATENCY', path: ['mw_latency'] },
  { variable: 'VHOST_PUBLISH_MR', path: ['publish', 'mr'] },
];
