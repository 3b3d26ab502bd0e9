import type { OriginSettings } from '../../../domain/nodeSettings';

/** Port of LiveKit's own Prometheus endpoint in its documentation's examples. */
const usualMetricsPort = 6789;
export const usualApiPort = 7880;

/** `http://host:port` of an address as typed (`ws://` too), without path; undefined when it is none. */
export function apiBase(address: string | undefined): string | undefined {
  if (!address) return undefined;
  try {
    const url = new URL(address.replace(/^ws/, 'http'));
    return /^https?:$/.test(url.protocol) ? url.origin : undefined;
  } catch {
    return undefined;
  }
}

/** Where LiveKit's clients connect. */
export const signallingUrl = (base: string): string => base.replace(/^http/, 'ws');

/** Where its metrics are, or most likely are. */
export function metricsUrl(
  settings: Pick<OriginSettings, 'metrics'>,
  base: string | undefined,
): string | undefined {
  if (settings.metrics) return settings.metrics;
  return base === undefined ? undefined : guessedMetricsUrl(new URL(base).hostname);
}

export const guessedMetricsUrl = (host: string): string => `http://${host}:${usualMetricsPort}/metrics`;
