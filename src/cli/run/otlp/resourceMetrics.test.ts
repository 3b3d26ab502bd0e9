import { emptyResource } from '@opentelemetry/resources';
import { AggregationTemporality, DataPointType } from '@opentelemetry/sdk-metrics';
import { expect, it } from 'vitest';
import { bucketOf } from '../../../domain/distribution/buckets';
import { Histogram } from '../../../domain/distribution/histogram';
import { histogramMetricOf, metricOf } from '../../../domain/series/metricNames';
import type { MetricFamily } from '../../../engine/prometheus/metrics/metricFamily';
import { resourceMetricsOf } from './resourceMetrics';

const dataOf = (family: MetricFamily): unknown => {
  const times = { version: '1', startMs: 1_500, nowMs: 2_000 };
  return resourceMetricsOf([family], emptyResource(), times).scopeMetrics[0]?.metrics[0];
};
const histogramOf = (values: readonly number[]): unknown =>
  dataOf({
    ...histogramMetricOf('senderReportDelayMs'),
    ...{ type: 'histogram', unit: 'ms', help: 'h' },
    values: [{ labels: { node: 't', run: 'r', audience: '' }, histogram: Histogram.of(values) }],
  });

it('has the buckets of distributions as they are, with the gaps between them', () => {
  const lowest = bucketOf(10);
  const bucketCounts = Array.from({ length: bucketOf(30) - lowest + 1 }, () => 0);
  bucketCounts[0] = 2;
  bucketCounts[bucketCounts.length - 1] = 1;
  const data = histogramOf([10, 10, 30]) as { dataPoints: Array<{ attributes: unknown }> };
  expect(data.dataPoints[0]?.attributes).toEqual({ node: 't' });
  expect(data).toMatchObject({
    descriptor: { name: 'fullhouse.viewer.sender_report_delay', unit: 'ms' },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
    dataPointType: DataPointType.EXPONENTIAL_HISTOGRAM,
    dataPoints: [
      {
        startTime: [1, 500_000_000],
        endTime: [2, 0],
        value: {
          ...{ count: 3, scale: 6, zeroCount: 0, min: 10, max: 30, sum: expect.closeTo(50, 0) as number },
          ...{ positive: { offset: lowest, bucketCounts }, negative: { offset: 0, bucketCounts: [] } },
        },
      },
    ],
  });
});

it('has no sum of negative values, and no extremes without values', () => {
  const value = (values: readonly number[]): unknown =>
    (histogramOf(values) as { dataPoints: Array<{ value: unknown }> }).dataPoints[0]?.value;
  const negative = value([-10, 10, 0]);
  expect(negative).toMatchObject({ count: 3, zeroCount: 1, min: -10, max: 10 });
  expect(negative).toMatchObject({ negative: { offset: bucketOf(10), bucketCounts: [1] } });
  expect(negative).not.toHaveProperty('sum');
  expect(value([])).not.toHaveProperty('min');
});

it('has gauges and counters in the unit of their series', () => {
  const of = (series: string): unknown => {
    const metric = metricOf(series);
    if (!metric) throw new Error(series);
    return dataOf({ ...metric, help: 'h', values: [{ labels: {}, value: 12.5 }] });
  };
  expect(of('cpuPercent')).toMatchObject({
    ...{ descriptor: { name: 'fullhouse.cpu', unit: '%' }, dataPointType: DataPointType.GAUGE },
    dataPoints: [{ value: 12.5 }],
  });
  expect(of('stallsTotal')).toMatchObject({
    ...{ descriptor: { name: 'fullhouse.stalls' }, dataPointType: DataPointType.SUM, isMonotonic: true },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  });
});
