import { expect, it } from 'vitest';
import { knownMetrics, metricOf, oldMetricNames } from './metricNames';

it.each([
  ['cpuPercent', 'fullhouse_cpu_ratio', 0.01, 'gauge'],
  ['connectP95Ms', 'fullhouse_connect_p95_seconds', 0.001, 'gauge'],
  ['networkOutMbps', 'fullhouse_network_out_bytes_per_second', 125_000, 'gauge'],
  ['playerBitrateKbps', 'fullhouse_player_bitrate_bytes_per_second', 125, 'gauge'],
  ['memoryUsedBytes', 'fullhouse_memory_used_bytes', 1, 'gauge'],
  ['load1', 'fullhouse_load1', 1, 'gauge'],
  ['stallsTotal', 'fullhouse_stalls_total', 1, 'counter'],
  ['freezeCountTotal', 'fullhouse_freeze_count_total', 1, 'counter'],
  ['freezeDurationTotalMs', 'fullhouse_freeze_duration_seconds_total', 0.001, 'counter'],
  ['viewersFailed', 'fullhouse_viewers_failed_total', 1, 'counter'],
])('%s is %s', (series, name, factor, type) => {
  expect(metricOf(series)).toEqual({ name, factor, type });
});

it('knows the names that older versions exposed', () => {
  const series = ['arrivalRateTarget', 'originResponseMs', 'viewersFailedOnTester', 'stallsTotal', 'load1'];
  expect(series.flatMap(oldMetricNames)).toEqual([
    'fullhouse_arrival_rate_asked',
    'fullhouse_origin_answer_seconds',
    'fullhouse_tester_failed_here_total',
    'fullhouse_freezes_total',
  ]);
});

it('labels parts, and never exposes them under the name of their sum', () => {
  expect(metricOf('networkInMbps:eth0')).toMatchObject({
    name: 'fullhouse_interface_in_bytes_per_second',
    label: { name: 'interface', value: 'eth0' },
  });
  expect(metricOf('cpuCorePercent:3')).toMatchObject({
    name: 'fullhouse_cpu_core_ratio',
    label: { name: 'core', value: '3' },
  });
  expect(metricOf('server:nack_incoming/s')).toMatchObject({
    name: 'fullhouse_server',
    label: { name: 'figure', value: 'nack_incoming/s' },
  });
  expect(metricOf('nothing')).toBeUndefined();
});

it('has a unique Prometheus name for every series', () => {
  const names = knownMetrics().map(({ metric }) => metric.name);
  expect(new Set(names).size).toBe(names.length);
  for (const name of names) expect(name).toMatch(/^fullhouse_[a-z][a-z0-9_]*$/);
});
