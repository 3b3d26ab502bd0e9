import { CounterRate } from '../../../domain/series/counterRate';
import type { SeriesId } from '../../../domain/series/series';
import type { Metrics } from '../../telemetry/metrics/exposition';
import { processMetricNames, processMetricsReader } from '../../telemetry/processMetrics';

/**
 * LiveKit updates a track's packet counters at this interval, each track at a different time. A rate therefore spans
 * two updates, or one until two have passed.
 */
const stepMs = 5000;

/** Sum of a metric over matching labels; undefined before LiveKit's first event. */
function sumOf(metrics: Metrics, name: string, labels: Readonly<Record<string, string>> = {}): number | undefined {
  let sum: number | undefined;
  for (const sample of metrics.get(name) ?? [])
    if (Object.entries(labels).every(([label, value]) => sample.labels[label] === value))
      sum = (sum ?? 0) + sample.value;
  return sum;
}

/** Counters that become rates, with the factor from one second's increase to the series' unit. */
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

/** Gauges, used as they are. */
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
/** LiveKit's endpoint has some hundred metrics, most of them histogram buckets. */
export const isWantedMetric = (name: string): boolean => wanted.has(name);

/** What LiveKit's /metrics reports at one time. `rooms` and `participants` are for use without an API key. */
export interface MetricsFigures {
  readonly values: Partial<Record<SeriesId, number>>;
  readonly rooms: number | undefined;
  readonly participants: number | undefined;
}

export interface MetricsReader {
  read(metrics: Metrics, timeMs: number): MetricsFigures;
}

/** Turns scrapes into figures; keeps previous values for rates. */
export function metricsReader(): MetricsReader {
  const process = processMetricsReader();
  let counters = new Map<SeriesId, CounterRate>();
  let cpuSeconds: number | undefined;
  return {
    read(metrics, timeMs) {
      const cpuNow = sumOf(metrics, cpu);
      // A new process counts from zero, also what had not been counted yet.
      if (cpuNow !== undefined && cpuSeconds !== undefined && cpuNow < cpuSeconds) counters = new Map();
      cpuSeconds = cpuNow;
      const values = process.read(metrics, timeMs);
      for (const { series, name, labels, factor } of rates) {
        const current = sumOf(metrics, name, labels);
        const counter = counters.get(series) ?? new CounterRate({ minPeriodMs: stepMs, spanMs: 2 * stepMs });
        counters.set(series, counter);
        // A counter that does not exist yet counts as 0.
        const rate = counter.read(timeMs, current ?? 0);
        if (current !== undefined && rate !== undefined) values[series] = rate * factor;
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
