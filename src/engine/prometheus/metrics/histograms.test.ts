import { join } from 'node:path';
import protobuf from 'protobufjs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { upperBound } from '../../../domain/distribution/buckets';
import { classicBounds } from '../../../domain/distribution/classicBounds';
import { Histogram } from '../../../domain/distribution/histogram';
import { distributionIds, distributions } from '../../../domain/series/distributions';
import { histogramMetricOf } from '../../../domain/series/metricNames';
import { writeExposition } from './exposition';
import type { HistogramFamily } from './metricFamily';
import { nativeIndex } from './protobufExposition';

const values = [12, 12.1, 40, 100, 100.5, 130, 980, 70_000];
const familyOf = (histogram: Histogram): HistogramFamily => ({
  ...histogramMetricOf('connectMs'),
  ...{ type: 'histogram', unit: 'ms', help: 'h', values: [{ labels: { node: 't', audience: '' }, histogram }] },
});

const number = z.union([z.number(), z.string()]).transform(Number);
const decodedFamily = z.object({
  name: z.string(),
  type: z.string(),
  metric: z.array(
    z.object({
      label: z.array(z.object({ name: z.string(), value: z.string() })),
      histogram: z.object({
        ...{ sampleCount: number, sampleSum: number, schema: number, zeroThreshold: number, zeroCount: number },
        bucket: z.array(z.object({ cumulativeCount: number, upperBound: number })),
        positiveSpan: z.array(z.object({ offset: number, length: number })),
        positiveDelta: z.array(number),
        negativeSpan: z.array(z.object({ offset: number, length: number })),
        negativeDelta: z.array(number),
      }),
    }),
  ),
});
type Decoded = z.infer<typeof decodedFamily>['metric'][number]['histogram'];

async function decoded(family: HistogramFamily): Promise<z.infer<typeof decodedFamily>> {
  const root = await protobuf.load(join(__dirname, '../../../../tests/support/proto/prometheus.proto'));
  const type = root.lookupType('io.prometheus.client.MetricFamily');
  const message = type.decodeDelimited(writeExposition([family], 'protobuf') as Uint8Array);
  return decodedFamily.parse(type.toObject(message, { longs: String, enums: String, defaults: true }));
}

/** Counts by Prometheus' index, as it reads spans and differences. */
function countsOf(spans: Decoded['positiveSpan'], deltas: readonly number[]): Array<[number, number]> {
  const counts: Array<[number, number]> = [];
  let [index, count] = [0, 0];
  for (const { offset, length } of spans) {
    index += offset;
    for (let place = 0; place < length; place += 1, index += 1)
      counts.push([index, (count += deltas[counts.length] ?? NaN)]);
  }
  return counts;
}

describe('classic histograms', () => {
  it('count exactly what is below each bound, in text and OpenMetrics', () => {
    const text = String(writeExposition([familyOf(Histogram.of(values))], 'text'));
    expect(text).toContain('# TYPE fullhouse_viewer_connect_seconds histogram\n');
    const buckets = [...text.matchAll(/_bucket\{node="t",le="([\d.]+)"\} (\d+)/g)].map((found) => found.map(Number));
    expect(buckets.length).toBe(classicBounds('ms').length);
    for (const [, bound = NaN, count] of buckets)
      expect(count, String(bound)).toBe(values.filter((value) => value / 1000 <= bound).length);
    expect(text).toMatch(/_bucket\{node="t",le="\+Inf"\} 8\n.*_sum\{node="t"\} [\d.]+\n.*_count\{node="t"\} 8\n$/);
    expect(String(writeExposition([familyOf(Histogram.of(values))], 'openmetrics'))).toContain(
      text.slice(text.indexOf('fullhouse_viewer_connect_seconds_bucket')),
    );
  });

  it('have no sum in OpenMetrics if values are negative, which are below every bound', () => {
    const family = familyOf(Histogram.of([-5, 0, 3]));
    const text = String(writeExposition([family], 'openmetrics'));
    expect(text).not.toContain('_sum');
    expect(text).toContain('_count{node="t"} 3');
    expect(String(writeExposition([family], 'text'))).toMatch(/_sum\{node="t"\} -0\.00/);
    expect(/_bucket\{node="t",le="0\.001\d*"\} (\d)/.exec(text)?.[1]).toBe('2');
  });

  it('have bounds at or next above round numbers', () => {
    const bounds = classicBounds('fps').map(({ bound }) => bound);
    expect(bounds[8]).toBeGreaterThanOrEqual(30);
    expect(bounds[8]).toBeLessThan(30 * 1.011);
    for (const id of distributionIds) {
      const all = classicBounds(distributions[id].unit).map(({ bucket }) => bucket);
      expect(new Set(all).size).toBe(all.length);
    }
  });
});

describe('native histograms', () => {
  it('have our buckets, decoded by another library', async () => {
    // Also adjacent buckets, and ones with an empty bucket between them.
    const near = [50, 51, 52].map((bucket) => upperBound(bucket));
    const all = [...values, ...near, upperBound(54), -3, -3, -900, 0];
    const histogram = Histogram.of(all);
    const family = await decoded(familyOf(histogram));
    expect(family).toMatchObject({ name: 'fullhouse_viewer_connect_seconds', type: 'HISTOGRAM' });
    expect(family.metric[0]?.label).toEqual([{ name: 'node', value: 't' }]);
    const read = family.metric[0]?.histogram;
    expect(read).toMatchObject({ sampleCount: 16, zeroCount: 1, zeroThreshold: 1e-9, schema: 6 });
    expect(read?.sampleSum).toBeCloseTo(histogram.sum / 1000, 9);
    expect(read?.bucket.at(-1)?.cumulativeCount).toBe(15);
    const indexed = (buckets: ReadonlyMap<number, number>): Array<[number, number]> =>
      [...buckets].sort(([a], [b]) => a - b).map(([bucket, count]) => [nativeIndex(bucket, 0.001), count]);
    expect(countsOf(read?.positiveSpan ?? [], read?.positiveDelta ?? [])).toEqual(indexed(histogram.positive));
    expect(read?.positiveSpan.map(({ length }) => length)).toContain(3);
    expect(countsOf(read?.negativeSpan ?? [], read?.negativeDelta ?? [])).toEqual(indexed(histogram.negative));
  });

  it('have bounds at most 0.24 % from ours', () => {
    for (const id of distributionIds) {
      const { factor } = histogramMetricOf(id);
      for (const bucket of [-200, 0, 425, 1000]) {
        const bound = 2 ** (nativeIndex(bucket, factor) / 64);
        expect(Math.abs(bound / (upperBound(bucket) * factor) - 1)).toBeLessThan(0.0024);
      }
    }
  });

  it('count more than 32 bits can', async () => {
    const histogram = Histogram.of([1]);
    for (let doubled = 0; doubled < 40; doubled += 1) {
      const before = new Histogram();
      before.merge(histogram);
      histogram.merge(before);
    }
    expect((await decoded(familyOf(histogram))).metric[0]?.histogram).toMatchObject({
      sampleCount: 2 ** 40,
      positiveDelta: [2 ** 40],
    });
  });
});
