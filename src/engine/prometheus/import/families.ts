import type { ExporterFamily, ImportedTarget } from '../../../domain/model/imported';
import { allPercentileSeries, statPercent, type PercentileSeries } from '../../../domain/series/distributions';
import { histogramMetricOf, knownMetrics, oldMetricNames } from '../../../domain/series/metricNames';
import { hostMarkers, matchOf } from '../../telemetry/metrics/hostInstance';
import { hostRangeQueries, seconds } from '../../telemetry/metrics/rangeQueries';

/** Maximum age of a value: a rate needs several scrapes in its window, a gauge holds until the next one. */
export interface Windows {
  readonly rateMs: number;
  readonly latestMs: number;
}

interface Family {
  /** Metrics of which every target of the family always has at least one. */
  readonly markers: readonly string[];
  /** Labels that distinguish its targets. */
  readonly labels: readonly string[];
  /**
   * PromQL by series; `{label}` at a series' end stands for that label's value, and a series may have several queries
   * one after the other.
   */
  readonly queries: (match: string, windows: Windows) => ReadonlyArray<readonly [series: string, query: string]>;
}

const ofScraper = ['instance', 'job'];

export const families: Readonly<Record<ExporterFamily, Family>> = {
  node_exporter: {
    markers: hostMarkers,
    labels: ofScraper,
    queries: (match, { rateMs, latestMs }) => Object.entries(hostRangeQueries(match, rateMs, latestMs)),
  },
  wcs: { markers: ['core_stats', 'streams_stats', 'connections_stats'], labels: ofScraper, queries: ofWcs },
  srs: { markers: ['srs_clients', 'srs_cpu_percent'], labels: ofScraper, queries: ofSrs },
  livekit: {
    markers: ['livekit_room_total', 'livekit_participant_total'],
    labels: ofScraper,
    queries: ofLivekit,
  },
  fullhouse: {
    markers: ['fullhouse_node_up'],
    labels: [...ofScraper, 'node', 'run'],
    queries: ofFullhouse,
  },
};

/** The queries for a target, with its labels. */
export function queriesOf(
  { family, labels }: ImportedTarget,
  windows: Windows,
): ReadonlyArray<readonly [series: string, query: string]> {
  return families[family].queries(matchOf(labels), windows);
}

/** The metrics that a query needs; with `or`, any of its alternatives is enough. */
export function neededMetrics(query: string): ReadonlyArray<readonly string[]> {
  return query.split(' or ').map((part) => [...part.matchAll(/([A-Za-z_:][\w:]*)\{/g)].map(([, name = '']) => name));
}

const streamsOut = 'streams_(webrtc|rtmp|rtmfp|rtsp|websocket)_out';
const streamsIn = 'streams_(webrtc|rtmp|rtmfp|rtsp)_in';
const wcsGroups = ['connections', 'port', 'streams', 'core', 'degraded_streams', 'network', 'custom'] as const;

/** WCS names a group by the metric and a parameter by its label `param`. */
function ofWcs(match: string, { latestMs }: Windows): Array<readonly [string, string]> {
  const group = (name: (typeof wcsGroups)[number], params: string): string =>
    `last_over_time(${name}_stats{${match},param=~"${params}"}${seconds(latestMs)})`;
  const known = `${streamsOut}|${streamsIn}|connections|degraded_streams|gc_pause|global_bandwidth_(in|out)`;
  return [
    ['originViewers', `sum(${group('streams', streamsOut)})`],
    ['originStreams', `sum(${group('streams', streamsIn)})`],
    ['originConnections', group('connections', 'connections')],
    ['originDegraded', group('degraded_streams', 'degraded_streams')],
    ['gcPauseMs', group('custom', 'gc_pause')],
    ['originInMbps', group('network', 'global_bandwidth_in')],
    ['originOutMbps', group('network', 'global_bandwidth_out')],
    ...wcsGroups.map((stats): readonly [string, string] => [
      'server:{param}',
      `last_over_time(${stats}_stats{${match},param!~"${known}"}${seconds(latestMs)})`,
    ]),
  ];
}

function ofSrs(match: string, { rateMs, latestMs }: Windows): Array<readonly [string, string]> {
  const latest = (metric: string): string => `last_over_time(${metric}{${match}}${seconds(latestMs)})`;
  const rate = (metric: string): string => `rate(${metric}{${match}}${seconds(rateMs)})`;
  return [
    ['processCpuPercent', latest('srs_cpu_percent')],
    // In KiB.
    ['processMemoryBytes', `${latest('srs_memory')} * 1024`],
    ['originConnections', latest('srs_clients')],
    ['originStreams', latest('srs_streams')],
    ['originOutMbps', `${rate('srs_send_bytes_total')} / 125000`],
    ['originInMbps', `${rate('srs_receive_bytes_total')} / 125000`],
    ['server:srs_clients_total', latest('srs_clients_total')],
    ['server:srs_clients_errs_total', latest('srs_clients_errs_total')],
  ];
}

function ofLivekit(match: string, { rateMs, latestMs }: Windows): Array<readonly [string, string]> {
  const gauge = (metric: string): string => `sum(last_over_time(${metric}{${match}}${seconds(latestMs)}))`;
  const rate = (metric: string, direction: string): string =>
    `sum(rate(${metric}{${match},direction="${direction}"}${seconds(rateMs)}))`;
  const kinds = ['nack', 'pli', 'fir'].flatMap((kind) =>
    ['incoming', 'outgoing'].map((direction): readonly [string, string] => [
      `server:${kind}_${direction}/s`,
      rate(`livekit_${kind}_total`, direction),
    ]),
  );
  return [
    ['originStreams', gauge('livekit_room_total')],
    ['originConnections', gauge('livekit_participant_total')],
    ['originOutMbps', `${rate('livekit_packet_bytes', 'outgoing')} / 125000`],
    ['originInMbps', `${rate('livekit_packet_bytes', 'incoming')} / 125000`],
    ['originPacketsPerSecond', rate('livekit_packet_total', 'outgoing')],
    ...kinds,
    ['server:tracks_published', gauge('livekit_track_published_total')],
    ['server:tracks_subscribed', gauge('livekit_track_subscribed_total')],
    ['server:goroutines', gauge('go_goroutines')],
    ['processCpuPercent', `100 * sum(rate(process_cpu_seconds_total{${match}}${seconds(rateMs)}))`],
    ['processMemoryBytes', gauge('process_resident_memory_bytes')],
    ['processOpenFiles', gauge('process_open_fds')],
    ['processThreads', gauge('go_threads')],
  ];
}

/** What a live run exposed to a Prometheus, in the units of its series. */
function ofFullhouse(match: string, windows: Windows): Array<readonly [string, string]> {
  const latest = (name: string): string => `last_over_time(${name}{${match}}${seconds(windows.latestMs)})`;
  const gauges = knownMetrics().map(({ series, metric }): readonly [string, string] => [
    series,
    inUnit([metric.name, ...oldMetricNames(series)].map(latest), metric.factor),
  ]);
  const percentiles = allPercentileSeries.map((percentile): readonly [string, string] => [
    percentile.id,
    inUnit(
      [...quantilesOf(percentile, match, windows), ...oldMetricNames(percentile.id).map(latest)],
      histogramMetricOf(percentile.distribution).factor,
    ),
  ]);
  return [...gauges, ...percentiles];
}

/** By native histograms, else by classic ones, whose highest and lowest buckets are too wide for extremes. */
function quantilesOf({ distribution, stat }: PercentileSeries, match: string, { rateMs }: Windows): string[] {
  const { name } = histogramMetricOf(distribution);
  const quantile = statPercent[stat] / 100;
  const rate = (metric: string): string => `rate(${metric}{${match}}${seconds(rateMs)})`;
  const native = `histogram_quantile(${quantile}, sum(${rate(name)}))`;
  const isExtreme = quantile === 0 || quantile === 1;
  return isExtreme ? [native] : [native, `histogram_quantile(${quantile}, sum by (le) (${rate(`${name}_bucket`)}))`];
}

function inUnit(alternatives: readonly string[], factor: number): string {
  return alternatives.map((alternative) => (factor === 1 ? alternative : `${alternative} / ${factor}`)).join(' or ');
}
