import { expect, it } from 'vitest';
import { distributionIds } from './distributions';
import { histogramMetricOf, knownMetrics, metricOf, oldMetricNames } from './metricNames';

it.each([
  ['cpuPercent', 'fullhouse_cpu_ratio', 0.01, 'gauge', 'cpu', '%'],
  ['gcPauseMs', 'fullhouse_gc_pause_seconds', 0.001, 'gauge', 'gc_pause', 'ms'],
  ['networkOutMbps', 'fullhouse_network_out_bytes_per_second', 125_000, 'gauge', 'network_out', 'Mbit/s'],
  ['playerBitrateKbps', 'fullhouse_player_bitrate_bytes_per_second', 125, 'gauge', 'player_bitrate', 'kbit/s'],
  ['memoryUsedBytes', 'fullhouse_memory_used_bytes', 1, 'gauge', 'memory_used_bytes', 'By'],
  ['load1', 'fullhouse_load1', 1, 'gauge', 'load1', ''],
  ['stallsTotal', 'fullhouse_stalls_total', 1, 'counter', 'stalls', ''],
  ['freezeCountTotal', 'fullhouse_freeze_count_total', 1, 'counter', 'freeze_count', ''],
  ['freezeDurationTotalMs', 'fullhouse_freeze_duration_seconds_total', 0.001, 'counter', 'freeze_duration', 'ms'],
  ['viewersFailed', 'fullhouse_viewers_failed_total', 1, 'counter', 'viewers_failed', ''],
])('%s is %s', (series, name, factor, type, otlp, unit) => {
  expect(metricOf(series)).toEqual({ name, factor, type, otlp: { name: `fullhouse.${otlp}`, unit } });
});

it.each([
  ['connectMs', 'fullhouse_viewer_connect_seconds', 0.001, 'connect', 'ms'],
  ['viewerLossPercent', 'fullhouse_viewer_loss_ratio', 0.01, 'loss', '%'],
  ['viewerBitrateKbps', 'fullhouse_viewer_bitrate_bytes_per_second', 125, 'bitrate', 'kbit/s'],
  ['frameRate', 'fullhouse_viewer_frame_rate', 1, 'frame_rate', '{frame}/s'],
] as const)('%s is the histogram %s', (distribution, name, factor, otlp, unit) => {
  expect(histogramMetricOf(distribution)).toEqual({ name, factor, otlp: { name: `fullhouse.viewer.${otlp}`, unit } });
});

it('has no metric of percentiles, and knows those of older versions', () => {
  for (const series of ['connectP95Ms', 'frameRate']) expect(metricOf(series)).toBeUndefined();
  expect(['connectP95Ms', 'frameRate'].flatMap(oldMetricNames)).toEqual([
    'fullhouse_connect_p95_seconds',
    'fullhouse_frame_rate',
  ]);
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

it('has unique names for every series and distribution', () => {
  const all = [...knownMetrics().map(({ metric }) => metric), ...distributionIds.map(histogramMetricOf)];
  const [names, otlp] = [all.map(({ name }) => name), all.map((each) => each.otlp.name)];
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(otlp).size).toBe(otlp.length);
  for (const name of names) expect(name).toMatch(/^fullhouse_[a-z][a-z0-9_]*$/);
  for (const name of otlp) expect(name).toMatch(/^fullhouse\.[a-z][a-z0-9_.]*$/);
});
