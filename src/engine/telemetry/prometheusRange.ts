import { FullhouseError } from '../../contract/calls';
import { seriesDefinition, type SeriesId } from '../../domain/series/series';
import { systemClock, type Clock } from '../base/clock';
import type { HttpLink } from '../links/http/httpLink';
import { BestOffset } from '../links/bestOffset';
import { plausibleMbps, wiresOf } from '../../domain/node/wires';
import type { HostValues } from './hostRates';
import type { HostSample } from './hostSource';
import { PrometheusApi, quoted, type PrometheusSeries } from './metrics/prometheusApi';
import {
  instanceLabels,
  matchOf,
  networkOf,
  seriesOfOneHost,
  valuesWithin,
  type HostNetwork,
} from './metrics/hostInstance';
import { hostRangeQueries } from './metrics/rangeQueries';

export interface PrometheusRangeOptions {
  readonly http: Pick<HttpLink, 'request'>;
  readonly url: string;
  readonly instance: string;
  /** The node's name, for messages. */
  readonly who: string;
  /** Unix time in ms by our clock; both ends are included. */
  readonly fromMs: number;
  readonly toMs: number;
  readonly stepMs: number;
  /** Instead of node_exporter's figures: PromQL by series, with `$instance` for the quoted instance. */
  readonly queries?: Readonly<Record<string, string>>;
  readonly clock?: Clock;
  /** Points requested at once and held in memory; default and maximum: 10,000. */
  readonly pointsAtOnce?: number;
}

/** Prometheus refuses more than 11,000 points of a series in one response. */
const maxPoints = 10_000;
/** A rate needs two scrapes in its window even if one failed. */
const scrapesPerWindow = 4;
const defaultScrapeMs = 15_000;
/** What an address answers that has no such list: another status, a page, or something else. */
const decorative = /^(prometheus|not-json|bad-answer)$/;

/** Stored figures of a host in Prometheus, in steps, with times in our clock; what it did not measure is a gap. */
export async function readPrometheusRange(options: PrometheusRangeOptions): Promise<HostSample[]> {
  const samples: HostSample[] = [];
  for await (const part of prometheusRangeParts(options)) samples.push(...part.samples);
  return samples;
}

/** One interval of a range, up to `toMs`. */
export interface PrometheusRangePart {
  readonly toMs: number;
  readonly samples: readonly HostSample[];
}

/** Reads a range interval by interval, for ranges too large for memory. */
export async function* prometheusRangeParts(
  options: PrometheusRangeOptions,
): AsyncGenerator<PrometheusRangePart, void, undefined> {
  const { http, url, instance, who, fromMs, toMs, stepMs, clock = systemClock } = options;
  const atOnce = Math.min(options.pointsAtOnce ?? maxPoints, maxPoints);
  if (!(stepMs >= 1) || !(toMs >= fromMs))
    throw new FullhouseError('bad-range', `${who}: a range needs an end after its start and a step of 1 ms or more.`);
  const api = new PrometheusApi(http, who, url);
  const offset = new BestOffset();
  const requestedMs = clock.now();
  const remoteMs = await api.time();
  offset.add(requestedMs, clock.now(), remoteMs);
  const aheadMs = offset.view?.offsetMs ?? 0;

  const queries = options.queries
    ? Object.fromEntries(
        Object.entries(options.queries).map(([series, query]) => [
          series,
          query.replaceAll('$instance', quoted(instanceLabels(instance).instance ?? '')),
        ]),
      )
    : await hostQueries(api, instance, stepMs);
  const network = options.queries ? undefined : await networkWithin(api, options);
  for (let startMs = fromMs; startMs <= toMs; startMs += atOnce * stepMs) {
    const byTime = new Map<number, HostValues>();
    const endMs = Math.min(toMs, startMs + (atOnce - 1) * stepMs);
    for (const [series, query] of Object.entries(queries)) {
      const found = await api.queryRange(query, startMs + aheadMs, endMs + aheadMs, stepMs);
      assignResults(byTime, series, found, (timeMs) => offset.toLocal(timeMs));
    }
    const samples = [...byTime.entries()]
      .sort(([a], [b]) => a - b)
      .map(([timeMs, values]) => ({ timeMs, values: withTotals(values, network) }));
    yield { toMs: endMs, samples };
  }
}

async function hostQueries(api: PrometheusApi, instance: string, stepMs: number): Promise<Record<string, string>> {
  const everyMs = await scrapeMs(api, instanceLabels(instance).instance ?? '');
  const windowMs = Math.max(stepMs, scrapesPerWindow * everyMs);
  return { ...hostRangeQueries(matchOf(instanceLabels(instance)), windowMs, windowMs) };
}

/** What is known of the host's interfaces. Rejects with `several-hosts` where the instance is not one host. */
async function networkWithin(
  api: PrometheusApi,
  { who, instance, fromMs, toMs }: Pick<PrometheusRangeOptions, 'who' | 'instance' | 'fromMs' | 'toMs'>,
): Promise<HostNetwork | undefined> {
  const values = await valuesWithin(api, matchOf(instanceLabels(instance)), fromMs, toMs).catch((error: unknown) => {
    // Without it only the names of the interfaces are known, which decides nothing else.
    if (error instanceof FullhouseError && decorative.test(error.code)) return [];
    throw error;
  });
  return networkOf(seriesOfOneHost(api, who, instance, values));
}

/** Access to Prometheus' targets may be denied; the usual interval is then assumed. */
async function scrapeMs(api: PrometheusApi, instance: string): Promise<number> {
  try {
    return (await api.scrapeIntervalMs(instance)) ?? defaultScrapeMs;
  } catch (error) {
    if (error instanceof FullhouseError && decorative.test(error.code)) return defaultScrapeMs;
    throw error;
  }
}

/** Assigns the results of a query to their timestamps. `series` may have one `{label}`, filled in from each result. */
export function assignResults(
  byTime: Map<number, HostValues>,
  series: string,
  found: readonly PrometheusSeries[],
  toLocal: (timeMs: number) => number,
): void {
  const label = /\{(\w+)\}$/.exec(series)?.[1];
  const several = label === undefined ? found.slice(0, 1) : found;
  for (const { labels, points } of several) {
    const id = label === undefined ? series : series.replace(`{${label}}`, labels[label] ?? '');
    if (!seriesDefinition(id)) continue;
    for (const { timeMs, value } of points) {
      if (!Number.isFinite(value)) continue;
      const localMs = toLocal(timeMs);
      const values = byTime.get(localMs) ?? {};
      byTime.set(localMs, values);
      values[id as SeriesId] = value;
    }
  }
}

const directions = ['networkInMbps', 'networkOutMbps'] as const;

/**
 * The host's traffic is that of its wires, as everywhere else; a rate that a link can't have leaves a gap. `network` is
 * absent where only names are known.
 */
export function withTotals(values: HostValues, network?: HostNetwork): HostValues {
  const names = Object.keys(values).flatMap((series) =>
    series.startsWith('networkInMbps:') ? [series.slice('networkInMbps:'.length)] : [],
  );
  if (names.length === 0) return values;
  const carrying = new Set(wiresOf(names, network?.structure, network?.bytes));
  const aggregated: HostValues = {};
  const implausible = new Set<string>();
  for (const [series, value = NaN] of Object.entries(values)) {
    const [way, name] = series.split(/:(.*)/, 2);
    const total = directions.find((one) => one === way && name !== undefined);
    if (!total || name === undefined) aggregated[series as SeriesId] = value;
    else if (carrying.has(name)) {
      const mbps = plausibleMbps(value, network?.structure.get(name)?.speedMbps);
      if (mbps === undefined) implausible.add(total);
      else {
        aggregated[series as SeriesId] = mbps;
        aggregated[total] = (aggregated[total] ?? 0) + mbps;
      }
    }
  }
  for (const total of directions) if (implausible.has(total)) delete aggregated[total];
  return aggregated;
}
