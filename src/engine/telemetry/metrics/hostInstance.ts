import { FullhouseError } from '../../../contract/calls';
import type { PrometheusApi } from './prometheusApi';

/** The `instance` labels of the hosts whose node_exporter a Prometheus asks. */
export function hostInstances(api: PrometheusApi): Promise<string[]> {
  return api.labelValues('instance', 'node_load1');
}

/** Rejects with `no-instance` where it is not the only one. */
export function theOnlyInstance(api: PrometheusApi, who: string, known: readonly string[]): string {
  const [only] = known;
  if (only !== undefined && known.length === 1) return only;
  throw new FullhouseError(
    'no-instance',
    known.length === 0
      ? `${who}: the Prometheus at ${api.address} knows no node_exporter.`
      : `${who}: the Prometheus at ${api.address} knows several hosts; choose the instance: ${known.slice(0, 10).join(', ')}.`,
  );
}

/** That a Prometheus knows no such host, and which ones it knows. */
export function unknownInstance(
  api: PrometheusApi,
  who: string,
  instance: string,
  known: readonly string[],
): FullhouseError {
  return new FullhouseError(
    'no-instance',
    `${who}: the Prometheus at ${api.address} knows no node_exporter "${instance}"${known.length > 0 ? `; it knows ${known.slice(0, 5).join(', ')}` : ''}.`,
  );
}
