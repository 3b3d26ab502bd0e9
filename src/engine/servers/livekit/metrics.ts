import type { SeriesId } from '../../../domain/series';
import type { Metrics } from '../../telemetry/metrics/exposition';
import { processMetricNames, processMetricsReader } from '../../telemetry/processMetrics';

/**
 * LiveKit counts a track's packets once in this time: a rate over one second would be nothing four times and then five
 * times too much. So a rate goes over two of its steps, or over one until two have passed.
 */
const stepMs = 5000;
/** Scrapes are not quite on the second. */
const slackMs = 700;

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

interface Moment {
  readonly timeMs: number;
  readonly counters: ReadonlyMap<string, number>;
  readonly cpuSeconds: number | undefined;
}

/** What LiveKit's /metrics tells at one moment. `rooms` and `participants` are for those who have no API key. */
export interface MetricsFigures {
  readonly values: Partial<Record<SeriesId, number>>;
  readonly rooms: number | undefined;
  readonly participants: number | undefined;
}

export interface MetricsReader {
  read(metrics: Metrics, timeMs: number): MetricsFigures;
}

/** Turns scrapes into figures; it remembers the last of them, for rates. */
export function metricsReader(): MetricsReader {
  /** Oldest first, none older than what rates go over. */
  let moments: Moment[] = [];
  const process = processMetricsReader();
  return {
    read(metrics, timeMs) {
      const now: Moment = {
        timeMs,
        cpuSeconds: sumOf(metrics, cpu),
        counters: new Map(
          rates.flatMap(({ series, name, labels }) => {
            const value = sumOf(metrics, name, labels);
            return value === undefined ? [] : [[series, value] as const];
          }),
        ),
      };
      if (hasRestarted(moments[moments.length - 1], now)) moments = [];
      const values = process.read(metrics, timeMs);
      moments = [...moments.filter((each) => timeMs - each.timeMs < 2 * stepMs + 2 * slackMs), now];
      const first = startOfRates(moments, timeMs);
      if (first)
        for (const { series, factor } of rates) {
          const value = now.counters.get(series);
          // A counter that was not there yet had counted nothing.
          if (value !== undefined)
            values[series] =
              ((value - (first.counters.get(series) ?? 0)) / ((timeMs - first.timeMs) / 1000)) * factor;
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

/** The moment from which rates are counted; none while too little has been seen. */
function startOfRates(moments: readonly Moment[], timeMs: number): Moment | undefined {
  const oldestMs = timeMs - (moments[0]?.timeMs ?? timeMs);
  if (oldestMs < stepMs - slackMs) return undefined;
  const spanMs = oldestMs < 2 * stepMs - slackMs ? stepMs : 2 * stepMs;
  const distance = (moment: Moment): number => Math.abs(timeMs - moment.timeMs - spanMs);
  return [...moments].sort((a, b) => distance(a) - distance(b))[0];
}

/** A counter that has gone back began anew: what lies before tells nothing about now. */
function hasRestarted(last: Moment | undefined, now: Moment): boolean {
  if (!last) return false;
  if (last.cpuSeconds !== undefined && now.cpuSeconds !== undefined && now.cpuSeconds < last.cpuSeconds)
    return true;
  return [...last.counters].some(([series, value]) => (now.counters.get(series) ?? 0) < value);
}
