import { expect, it } from 'vitest';
import { parseMetrics, type Metrics } from './metrics/exposition';
import { processMetricNames, processMetricsReader } from './processMetrics';

const metrics = (text: string): Metrics => parseMetrics(text, (name) => processMetricNames.has(name), 'x');

it('reads a Go server: CPU from two responses, GC pauses between them', () => {
  const reader = processMetricsReader();
  const answer = (seconds: number, collections: number, paused: number): Metrics =>
    metrics(
      `process_cpu_seconds_total ${seconds}\nprocess_resident_memory_bytes 5.2e+07\nprocess_open_fds 21\ngo_threads 9\n` +
        `go_gc_duration_seconds{quantile="1"} 0.001\ngo_gc_duration_seconds_sum ${paused}\ngo_gc_duration_seconds_count ${collections}\n`,
    );
  const gauges = { processMemoryBytes: 52_000_000, processOpenFiles: 21, processThreads: 9 };
  expect(reader.measures).toEqual([]);
  expect(reader.read(answer(10, 4, 0.004), 1000)).toEqual(gauges);
  expect(reader.measures).toEqual(['process', 'GC']);
  expect(reader.read(answer(10.5, 4, 0.004), 3000)).toEqual({ ...gauges, processCpuPercent: 25 });
  const { gcPauseMs, processCpuPercent } = reader.read(answer(10.5, 5, 0.0045), 4000);
  expect(gcPauseMs).toBeCloseTo(0.5);
  expect(processCpuPercent).toBe(0);
  // Restarted: its counters start at 0, which is neither negative CPU nor a pause.
  expect(reader.read(answer(0.1, 1, 0.0001), 5000)).toEqual(gauges);
});

it('reads a Node.js server, without figures that have no metric there', () => {
  const reader = processMetricsReader();
  const answer = (collections: number, seconds: number): Metrics =>
    metrics(
      `nodejs_gc_duration_seconds_sum{kind="minor"} ${seconds}\nnodejs_gc_duration_seconds_count{kind="minor"} ${collections}\n`,
    );
  expect(reader.read(answer(1, 0.002), 1000)).toEqual({});
  expect(reader.read(answer(2, 0.005), 2000)).toEqual({ gcPauseMs: expect.closeTo(3, 6) as number });
  expect(reader.measures).toEqual(['GC']);
  const other = processMetricsReader();
  expect(other.read(metrics('http_requests_total 4\n'), 1000)).toEqual({});
  expect(other.measures).toEqual([]);
});
