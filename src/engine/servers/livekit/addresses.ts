import type { OriginSettings } from '../../../domain/model/nodeSettings';

/** Port of LiveKit's Prometheus endpoint in its documentation's examples. */
const defaultMetricsPort = 6789;
export const defaultApiPort = 7880;

/** `http://host:port` of an entered address (`ws://` too), without path; undefined when invalid. */
export function apiBase(address: string | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const url = new URL(address.replace(/^ws/, 'http'));
    return /^https?:$/.test(url.protocol) ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

/** Where LiveKit clients connect. */
export const signallingUrl = (base: string): string => base.replace(/^http/, 'ws');

/** Where its metrics are, or most likely are. */
export function metricsUrl(settings: Pick<OriginSettings, 'metrics'>, base: string | undefined): string | undefined {
  if (settings.metrics) return settings.metrics;
  return base === undefined ? undefined : defaultMetricsUrl(new URL(base).hostname);
}

export const defaultMetricsUrl = (host: string): string => `http://${host}:${defaultMetricsPort}/metrics`;
