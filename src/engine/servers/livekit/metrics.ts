import { CounterRate } from '../../../domain/counterRate';
import type { SeriesId } from '../../../domain/series';
import type { Metrics } from '../../telemetry/metrics/exposition';
import { processMetricNames, processMetricsReader } from '../../telemetry/processMetrics';

/**
 * LiveKit counts a track's packets once in this time, each track at a moment of its own: so a rate goes over two of its steps, or over
 * one until two have passed.
 */
const stepMs = 5000;

/** Sum of a metric's values whose labels fit; undefined while there is none, which LiveKit has until the first event. */
function sumOf(
  metrics: Metrics,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  let sum: number | undefined;
  for (const each of metrics.get(name) ?? [])
    if (Object.entries(labels).every(([label, value]) => each.labels[label] === value))
      sum = (sum ?? 0) + each.value;
  return sum;
}

/** Counters of which rates are wanted, with what makes a second's worth of them the series' unit. */
const rates: ReadonlyArray<{
  readonly series: SeriesId;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly factor: number;
}> = [
  traffic('originOutMbps', 'livekit_packet_bytes', 'outgoing', 8e-6),
  traffic('originInMbps', 'livekit_packet_bytes', 'incoming', 8e-6),
  traffic('originPacketsPerSecond', 'livekit_packet_total', 'outgoing', 1),
  ...(['nack', 'pli', 'fir'] as const).flatMap((kind) =>
    (['incoming', 'outgoing'] as const).map((direction) =>
      traffic(`server:${kind}_${direction}/s`, `livekit_${kind}_total`, direction, 1),
    ),
  ),
];

function traffic(series: SeriesId, name: string, direction: string, factor: number): (typeof rates)[number] {
  return { series, name, labels: { direction }, factor };
}

/** Figures that are shown as they are. */
const gauges: ReadonlyArray<readonly [SeriesId, string]> = [
  ['server:goroutines', 'go_goroutines'],
  ['server:tracks_published', 'livekit_track_published_total'],
  ['server:tracks_subscribed', 'livekit_track_subscribed_total'],
];

const cpu = 'process_cpu_seconds_total';
const rooms = 'livekit_room_total';
const participants = 'livekit_participant_total';

const wanted = new Set([
  ...rates.map(({ name }) => name),
  ...gauges.map(([, name]) => name),
  rooms,
  participants,
  ...processMetricNames,
]);
/** LiveKit's endpoint tells some hundred metrics, most of them parts of histograms. */
export const isWantedMetric = (name: string): boolean => wanted.has(name);

/** What LiveKit's /metrics tells at one moment. `rooms` and `participants` are for those who have no API key. */
export interface MetricsFigures {
  readonly values: Partial<Record<SeriesId, number>>;
  readonly rooms: number | undefined;
  readonly participants: number | undefined;
}

export interface MetricsReader {
  read(metrics: Metrics, timeMs: number): MetricsFigures;
}

/** Turns scrapes into figures; it remembers what it read, for rates. */
export function metricsReader(): MetricsReader {
  const process = processMetricsReader();
  let counters = new Map<SeriesId, CounterRate>();
  let cpuSeconds: number | undefined;
  return {
    read(metrics, timeMs) {
      const cpuNow = sumOf(metrics, cpu);
      // Another process than before counts anew, also what had not yet been counted then.
      if (cpuNow !== undefined && cpuSeconds !== undefined && cpuNow < cpuSeconds) counters = new Map();
      cpuSeconds = cpuNow;
      const values = process.read(metrics, timeMs);
      for (const { series, name, labels, factor } of rates) {
        const told = sumOf(metrics, name, labels);
        const counter = counters.get(series) ?? new CounterRate({ periodMs: stepMs, spanMs: 2 * stepMs });
        counters.set(series, counter);
        // A counter that is not there yet has counted nothing.
        const rate = counter.read(timeMs, told ?? 0);
        if (told !== undefined && rate !== undefined) values[series] = rate * factor;
      }
      for (const [series, name] of gauges) {
        const value = sumOf(metrics, name);
        if (value !== undefined) values[series] = value;
      }
      return {
        values,
        rooms: sumOf(metrics, rooms),
        participants: sumOf(metrics, participants),
      };
    },
  };
}
