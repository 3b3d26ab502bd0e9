import { CounterRate } from '../../domain/series/counterRate';
import type { SeriesId } from '../../domain/series/series';
import { gcMetricNames, gcPauseFromMetrics } from './gc/gcMetrics';
import { metricValue, type Metrics } from './metrics/exposition';

const cpu = 'process_cpu_seconds_total';
const gauges: ReadonlyArray<readonly [SeriesId, string]> = [
  ['processMemoryBytes', 'process_resident_memory_bytes'],
  ['processOpenFiles', 'process_open_fds'],
  ['processThreads', 'go_threads'],
];

/** Metrics that `processMetricsReader` needs. */
export const processMetricNames: ReadonlySet<string> = new Set([
  cpu,
  ...gauges.map(([, name]) => name),
  ...gcMetricNames,
]);

export interface ProcessMetricsReader {
  /**
   * The process's figures now; a missing metric is absent. CPU (% of one core) and GC pause need a previous response of
   * the same process. `timeMs` is by a monotonic clock.
   */
  read(metrics: Metrics, timeMs: number): Partial<Record<SeriesId, number>>;
  /** Kinds of figures seen so far, as in a node's capabilities. */
  readonly measures: ReadonlyArray<'process' | 'GC'>;
}

/** Process metrics of Prometheus' client libraries, used mostly by Go and Node.js servers. */
export function processMetricsReader(): ProcessMetricsReader {
  let before: Metrics | undefined;
  const cpuRate = new CounterRate({ isLive: true });
  let hasProcess = false;
  let hasGc = false;
  return {
    read(metrics, timeMs) {
      const values: Partial<Record<SeriesId, number>> = {};
      const seconds = metricValue(metrics, cpu);
      const busy = seconds === undefined ? undefined : cpuRate.read(timeMs, seconds);
      if (busy !== undefined) values.processCpuPercent = 100 * busy;
      for (const [series, name] of gauges) {
        const value = metricValue(metrics, name);
        if (value !== undefined && Number.isFinite(value)) values[series] = value;
      }
      hasProcess ||= seconds !== undefined || Object.keys(values).length > 0;
      const pause = gcPauseFromMetrics(metrics, before);
      hasGc ||= pause !== undefined;
      if (pause?.pauseMs !== undefined) values.gcPauseMs = pause.pauseMs;
      before = metrics;
      return values;
    },
    get measures() {
      return [...(hasProcess ? ['process' as const] : []), ...(hasGc ? ['GC' as const] : [])];
    },
  };
}
