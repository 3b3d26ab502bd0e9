import { FullhouseError } from '../../../contract/calls';
import type { PrometheusApi } from './prometheusApi';

/** The `instance` labels of the hosts whose node_exporter a Prometheus scrapes. */
export function hostInstances(api: PrometheusApi): Promise<string[]> {
  return api.labelValues('instance', 'node_load1');
}

/** Rejects with `no-instance` where it is not the only one. */
export function singleInstance(api: PrometheusApi, who: string, known: readonly string[]): string {
  const [only] = known;
  if (only !== undefined && known.length === 1) return only;
  throw new FullhouseError(
    'no-instance',
    known.length === 0
      ? `${who}: the Prometheus at ${api.address} has no node_exporter.`
      : `${who}: the Prometheus at ${api.address} has several hosts; choose the instance: ${known.slice(0, 10).join(', ')}.`,
  );
}

/** Reports that a Prometheus has no such host, and which ones it has. */
export function unknownInstance(
  api: PrometheusApi,
  who: string,
  instance: string,
  known: readonly string[],
): FullhouseError {
  return new FullhouseError(
    'no-instance',
    `${who}: the Prometheus at ${api.address} has no node_exporter "${instance}"${known.length > 0 ? `; available: ${known.slice(0, 5).join(', ')}` : ''}.`,
  );
}
