import { FullhouseError } from '../../../contract/calls';
import type { NetworkStructure } from '../../../domain/node/wires';
import type { MetricValue } from './exposition';
import { canonicalMetrics, namesOf } from './hostMetricNames';
import { networkStructure, structureMetrics } from './nodeMetrics';
import { quoted, type PrometheusApi, type PrometheusSeries } from './prometheusApi';

type Labels = Readonly<Record<string, string>>;

/** Metrics of which an exporter has one series: their labels are those of the host. */
const plainNames: ReadonlySet<string> = new Set(
  namesOf(['node_load1', 'node_memory_MemTotal_bytes', 'node_memory_MemAvailable_bytes']),
);
/** A metric of every host, whatever its system. */
export const hostMarkers = ['node_load1', 'windows_cpu_time_total', 'wmi_cpu_time_total'] as const;
const cpuNames: ReadonlySet<string> = new Set(namesOf(['node_cpu_seconds_total']));
/** Labels of figures that are no label of the host. */
const ownLabels = new Set(['__name__', 'device', 'nic', 'cpu', 'core', 'mode']);

/** The `instance` labels of the hosts whose node_exporter a Prometheus scrapes. */
export function hostInstances(api: PrometheusApi): Promise<string[]> {
  return api.labelValues('instance', `{__name__=~"${hostMarkers.join('|')}"}`);
}

/** Labels of a host as settings have them: `HOST:9100`, or `HOST:9100{cluster="eu"}` where several have this instance. */
export function instanceLabels(instance: string): Labels {
  const [, name = '', labels = ''] = /^(.*?)\{(.*)\}$/.exec(instance) ?? [instance, instance];
  const others = [...labels.matchAll(/([A-Za-z_]\w*)\s*=\s*"((?:[^"\\]|\\.)*)"/g)].map(
    ([, label = '', value = '']): [string, string] => [label, value.replace(/\\(.)/g, '$1')],
  );
  return { ...(name === '' ? {} : { instance: name }), ...Object.fromEntries(others) };
}

/** The labels as written between the braces of a selector. */
export function matchOf(labels: Labels): string {
  return Object.entries(labels)
    .map(([label, value]) => `${label}=${quoted(value)}`)
    .join(',');
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

/**
 * The series of one host. Several of one `instance` are told apart by their other labels; those of one host that is
 * scraped twice (two jobs, two replicas of Prometheus) are the same counters, of which one set counts. Throws
 * `several-hosts` where they are different ones.
 */
export function seriesOfOneHost(
  api: PrometheusApi,
  who: string,
  instance: string,
  series: readonly PrometheusSeries[],
): readonly PrometheusSeries[] {
  const [first, ...others] = differentHosts(series);
  if (!first) return series;
  if (others.length > 0)
    throw severalHosts(
      api,
      who,
      instance,
      [first, ...others].map(({ labels }) => labels),
    );
  return first.series;
}

/** The hosts that have these series, each with those of one of its sources. */
export function differentHosts(
  series: readonly PrometheusSeries[],
): ReadonlyArray<{ readonly labels: Labels; readonly series: readonly PrometheusSeries[] }> {
  const hosts = hostsOf(series);
  const names = [...new Set(hosts.flatMap((host) => Object.keys(host)))];
  const all = hosts.map((labels) => ({
    labels,
    series: series.filter((entry) => names.every((name) => (entry.labels[name] ?? '') === (labels[name] ?? ''))),
  }));
  return all.filter(
    (host, place) => !all.some((earlier, index) => index < place && isSameHost(earlier.series, host.series)),
  );
}

/** Names of the labels whose values differ between hosts. */
export function differingLabels(hosts: readonly Labels[]): string[] {
  const names = [...new Set(hosts.flatMap((host) => Object.keys(host)))];
  return names.filter((name) => new Set(hosts.map((host) => host[name] ?? '')).size > 1);
}

/** The label sets of different sources of host figures, in a fixed order. */
function hostsOf(series: readonly PrometheusSeries[]): readonly Labels[] {
  const plain = series.filter(({ labels }) => plainNames.has(labels.__name__ ?? ''));
  const found = new Map<string, Labels>();
  for (const { labels } of plain.length > 0
    ? plain
    : series.filter(({ labels }) => 'device' in labels || 'nic' in labels)) {
    const own = Object.entries(labels).filter(([label]) => !ownLabels.has(label));
    const host = Object.fromEntries(own.sort(([a], [b]) => (a < b ? -1 : 1)));
    found.set(JSON.stringify(host), host);
  }
  return [...found.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, host]) => host);
}

/** Counters of one processor of one host differ by no more than the time between two scrapes. */
function isSameHost(one: readonly PrometheusSeries[], other: readonly PrometheusSeries[]): boolean {
  const key = ({ __name__, cpu, core, mode }: Labels): string => JSON.stringify([__name__, cpu, core, mode]);
  const cpuOf = (series: readonly PrometheusSeries[]): PrometheusSeries[] =>
    series.filter(({ labels }) => cpuNames.has(labels.__name__ ?? ''));
  const known = new Map(cpuOf(one).map((entry) => [key(entry.labels), entry.points.at(-1)]));
  const pairs = cpuOf(other).flatMap(({ labels, points }) => {
    const [a, b] = [known.get(key(labels)), points.at(-1)];
    return a && b ? [[a, b] as const] : [];
  });
  return (
    pairs.length > 0 && pairs.every(([a, b]) => Math.abs(a.value - b.value) <= Math.abs(a.timeMs - b.timeMs) / 1000 + 1)
  );
}

function severalHosts(api: PrometheusApi, who: string, instance: string, hosts: readonly Labels[]): FullhouseError {
  const differing = differingLabels(hosts);
  const described = differing.map((name) => {
    const values = [...new Set(hosts.map((host) => host[name] ?? 'none'))];
    return `${name} (${values.slice(0, 5).join(', ')})`;
  });
  const example = differing.map((name) => `${name}=${quoted(hosts[0]?.[name] ?? '')}`).join(',');
  return new FullhouseError(
    'several-hosts',
    `${who}: the Prometheus at ${api.address} has ${hosts.length} hosts with the instance "${instance}"; they differ in ${described.join(' and ')}. Choose one in the instance, e.g. ${instance.replace(/\{.*/, '')}{${example}}.`,
  );
}

/** Metrics that tell hosts apart. */
export const hostNames: readonly string[] = [...plainNames, ...cpuNames];

/** What totals of a host's traffic need besides its rates. */
export interface HostNetwork {
  readonly structure: NetworkStructure;
  /** Bytes that an interface has carried so far. */
  readonly bytes: (device: string) => number;
}

/** Metrics that `networkOf` needs, with those that tell hosts apart. */
const networkNames = [
  ...namesOf([...structureMetrics, 'node_network_receive_bytes_total', 'node_network_transmit_bytes_total']),
  ...hostNames,
];

/** The values of a host in a range, for `networkOf` and `seriesOfOneHost`: the latest ones, as it is at its end. */
export async function valuesWithin(
  api: PrometheusApi,
  match: string,
  fromMs: number,
  toMs: number,
): Promise<PrometheusSeries[]> {
  for (const atMs of [toMs, (fromMs + toMs) / 2, fromMs]) {
    const found = await api.query(`{__name__=~"${networkNames.join('|')}",${match}}`, atMs);
    if (found.length > 0) return found;
  }
  return [];
}

/** How a host's interfaces depend on each other, from values at one time. */
export function networkOf(series: readonly PrometheusSeries[]): HostNetwork {
  const metrics = new Map<string, MetricValue[]>();
  for (const { labels, points } of series) {
    const values = metrics.get(labels.__name__ ?? '') ?? [];
    metrics.set(labels.__name__ ?? '', [...values, { labels, value: points.at(-1)?.value ?? NaN }]);
  }
  const canonical = canonicalMetrics(metrics);
  const bytes = new Map<string, number>();
  for (const name of ['node_network_receive_bytes_total', 'node_network_transmit_bytes_total'])
    for (const { labels, value } of canonical.get(name) ?? [])
      bytes.set(labels.device ?? '', (bytes.get(labels.device ?? '') ?? 0) + value);
  return { structure: networkStructure(canonical), bytes: (device) => bytes.get(device) ?? 0 };
}
