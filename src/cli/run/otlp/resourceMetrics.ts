import { ValueType, type Attributes, type HrTime } from '@opentelemetry/api';
import { millisToHrTime } from '@opentelemetry/core';
import { resourceFromAttributes, type Resource } from '@opentelemetry/resources';
import {
  AggregationTemporality,
  DataPointType,
  type DataPoint,
  type ExponentialHistogram,
  type MetricData,
  type ResourceMetrics,
} from '@opentelemetry/sdk-metrics';
import { histogramScale } from '../../../domain/distribution/buckets';
import type { Histogram } from '../../../domain/distribution/histogram';
import type { RunView } from '../../../domain/model/run';
import { visibleLine } from '../../../domain/text/visibleText';
import type { MetricFamily, MetricLabels } from '../../../engine/prometheus/metrics/metricFamily';

/** Facts that are attributes of the resource here. */
const ofResource: ReadonlySet<string> = new Set([
  'fullhouse_build_info',
  'fullhouse_run_info',
  'fullhouse_run_start_timestamp_seconds',
]);

/** What a run is to OpenTelemetry. `own` are attributes from the environment, which take precedence. */
export function resourceOf(
  { id, name }: Pick<RunView, 'id' | 'name'>,
  version: string,
  ownAttributes: Resource,
): Resource {
  const attributes = {
    'service.name': 'fullhouse',
    'service.version': version,
    'fullhouse.run.id': id,
    'fullhouse.run.name': visibleLine(name),
  };
  return resourceFromAttributes(attributes).merge(ownAttributes);
}

/**
 * Families as OpenTelemetry's data: values in the unit of their figure, distributions as exponential histograms with the
 * agents' own buckets. Sums and histograms are cumulative since the start of the run, so that a lost export loses nothing
 * of them.
 */
export function resourceMetricsOf(
  families: readonly MetricFamily[],
  resource: Resource,
  { version, startMs, nowMs }: { readonly version: string; readonly startMs: number; readonly nowMs: number },
): ResourceMetrics {
  const times = { startTime: millisToHrTime(startMs), endTime: millisToHrTime(nowMs) };
  const metrics = families
    .filter(({ name, values }) => values.length > 0 && !ofResource.has(name))
    .map((family) => metricOf(family, times));
  return { resource, scopeMetrics: [{ scope: { name: 'fullhouse', version }, metrics }] };
}

function metricOf(family: MetricFamily, times: { readonly startTime: HrTime; readonly endTime: HrTime }): MetricData {
  const { otlp, help } = family;
  const common = {
    descriptor: { ...otlp, description: help, valueType: ValueType.DOUBLE },
    aggregationTemporality: AggregationTemporality.CUMULATIVE,
  };
  if (family.type === 'histogram')
    return {
      ...common,
      dataPointType: DataPointType.EXPONENTIAL_HISTOGRAM,
      dataPoints: family.values.map(({ labels, histogram }) => ({
        ...{ ...times, attributes: attributesOf(labels), value: exponential(histogram) },
      })),
    };
  const dataPoints: Array<DataPoint<number>> = family.values.map(({ labels, value }) => ({
    ...{ ...times, attributes: attributesOf(labels), value },
  }));
  return family.type === 'counter'
    ? { ...common, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
    : { ...common, dataPointType: DataPointType.GAUGE, dataPoints };
}

/** The run is an attribute of the resource. */
function attributesOf(labels: MetricLabels): Attributes {
  return Object.fromEntries(Object.entries(labels).filter(([name, value]) => name !== 'run' && value !== ''));
}

function exponential(histogram: Histogram): ExponentialHistogram {
  const { count, zero, low, high } = histogram;
  return {
    ...{ count, scale: histogramScale, zeroCount: zero },
    ...{ positive: adjacent(histogram.positive), negative: adjacent(histogram.negative) },
    // OpenTelemetry has no sum of values of which some are negative: it may decrease.
    ...(histogram.negative.size === 0 ? { sum: histogram.sum } : {}),
    ...(count > 0 ? { min: low, max: high } : {}),
  };
}

/** Counts of all buckets from the lowest to the highest. */
function adjacent(buckets: ReadonlyMap<number, number>): ExponentialHistogram['positive'] {
  if (buckets.size === 0) return { offset: 0, bucketCounts: [] };
  const [lowest, highest] = [Math.min(...buckets.keys()), Math.max(...buckets.keys())];
  return {
    offset: lowest,
    bucketCounts: Array.from({ length: highest - lowest + 1 }, (_, place) => buckets.get(lowest + place) ?? 0),
  };
}
