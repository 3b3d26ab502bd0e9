import { histogramScale, zeroBelow } from '../../../domain/distribution/buckets';
import type { Histogram } from '../../../domain/distribution/histogram';
import { ByteWriter } from '../../base/bytes';
import { classicBoundsOf, classicCounts } from './classicBuckets';
import type { HistogramFamily, MetricFamily } from './metricFamily';

/** Numbers of io.prometheus.client's fields (metrics.proto of prometheus/client_model). */
const inFamily = { name: 1, help: 2, type: 3, metric: 4 };
const types = { counter: 0, gauge: 1, histogram: 4 };
const inMetric = { label: 1, gauge: 2, counter: 3, histogram: 7 };
const inLabel = { name: 1, value: 2 };
/** Field numbers of a gauge and of a counter. */
const inNumber = { value: 1 };
const inHistogram = {
  ...{ count: 1, sum: 2, bucket: 3, schema: 5, zeroThreshold: 6, zeroCount: 7 },
  ...{ negativeSpan: 9, negativeDelta: 10, positiveSpan: 12, positiveDelta: 13 },
};
const inBucket = { count: 1, bound: 2 };
const inSpan = { offset: 1, length: 2 };

/** Families as a stream of protobuf messages; histograms both as classic and as native ones. */
export function protobufExposition(families: readonly MetricFamily[]): Uint8Array {
  const stream = new ProtobufWriter();
  for (const family of families)
    stream.delimited((message) => {
      message.string(inFamily.name, family.name);
      message.string(inFamily.help, family.help);
      message.unsigned(inFamily.type, types[family.type]);
      for (const sample of family.values)
        message.message(inFamily.metric, (metric) => {
          for (const [name, value] of Object.entries(sample.labels))
            if (value !== '')
              metric.message(inMetric.label, (label) => {
                label.string(inLabel.name, name);
                label.string(inLabel.value, value);
              });
          if (family.type === 'histogram' && 'histogram' in sample)
            metric.message(inMetric.histogram, (message) => writeHistogram(message, family, sample.histogram));
          if (family.type !== 'histogram' && 'value' in sample)
            metric.message(inMetric[family.type], (number) =>
              number.double(inNumber.value, sample.value * family.factor),
            );
        });
    });
  return stream.finish();
}

function writeHistogram(message: ProtobufWriter, family: HistogramFamily, histogram: Histogram): void {
  const { factor } = family;
  message.unsigned(inHistogram.count, histogram.count);
  message.double(inHistogram.sum, histogram.sum * factor);
  const counts = classicCounts(family, histogram);
  classicBoundsOf(family).forEach((bound, place) =>
    message.message(inHistogram.bucket, (bucket) => {
      bucket.unsigned(inBucket.count, counts[place] ?? 0);
      bucket.double(inBucket.bound, bound);
    }),
  );
  message.signed(inHistogram.schema, histogramScale);
  message.double(inHistogram.zeroThreshold, zeroBelow * factor);
  message.unsigned(inHistogram.zeroCount, histogram.zero);
  writeBuckets(message, histogram.negative, factor, inHistogram.negativeSpan, inHistogram.negativeDelta);
  writeBuckets(message, histogram.positive, factor, inHistogram.positiveSpan, inHistogram.positiveDelta);
}

/** Runs of adjacent buckets, each by its distance from the end of the last one; counts as differences. */
function writeBuckets(
  message: ProtobufWriter,
  buckets: ReadonlyMap<number, number>,
  factor: number,
  spanField: number,
  deltaField: number,
): void {
  const sorted = [...buckets].sort(([a], [b]) => a - b);
  if (sorted.length === 0) return;
  const spans: Array<{ offset: number; length: number }> = [];
  let end = 0;
  for (const [bucket] of sorted) {
    const index = nativeIndex(bucket, factor);
    const last = spans.at(-1);
    if (last && index === end) last.length += 1;
    else spans.push({ offset: index - end, length: 1 });
    end = index + 1;
  }
  for (const { offset, length } of spans)
    message.message(spanField, (span) => {
      span.signed(inSpan.offset, offset);
      span.unsigned(inSpan.length, length);
    });
  message.allSigned(
    deltaField,
    sorted.map(([, count], place) => count - (sorted[place - 1]?.[1] ?? 0)),
  );
}

/**
 * Our bucket in base units: Prometheus counts its upper bounds, and its bounds in base units are 0.23 % at most from ours,
 * since a unit's factor is not one of the bounds. Counts are moved as a whole, so none is ever split.
 */
export function nativeIndex(bucket: number, factor: number): number {
  return bucket + 1 + Math.round(Math.log2(factor) * 2 ** histogramScale);
}

const encoder = new TextEncoder();
/** Most nested messages are short. */
const expectedBytes = 32;

/** Writes messages of protocol buffers, as far as the exposition of metrics needs them. */
class ProtobufWriter {
  private readonly out = new ByteWriter(expectedBytes);

  /** Field of type `string`. */
  string(field: number, text: string): void {
    this.raw(field, encoder.encode(text));
  }

  /** Field of type `double`. */
  double(field: number, value: number): void {
    this.tag(field, 1);
    this.out.float(value);
  }

  /** Field of type `uint32`, `uint64` or of an enum. */
  unsigned(field: number, value: number): void {
    this.tag(field, 0);
    this.out.unsigned(value);
  }

  /** Field of type `sint32` or `sint64`. */
  signed(field: number, value: number): void {
    this.tag(field, 0);
    this.out.signed(value);
  }

  /** Repeated field of type `sint64`, packed. */
  allSigned(field: number, values: readonly number[]): void {
    const packed = new ByteWriter(expectedBytes);
    for (const value of values) packed.signed(value);
    this.raw(field, packed.bytes());
  }

  /** Field of a message type. */
  message(field: number, write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.raw(field, message.finish());
  }

  /** Another message, preceded by its length: an item of a stream of them. */
  delimited(write: (message: ProtobufWriter) => void): void {
    const message = new ProtobufWriter();
    write(message);
    this.withLength(message.finish());
  }

  finish(): Uint8Array {
    return this.out.bytes();
  }

  private raw(field: number, bytes: Uint8Array): void {
    this.tag(field, 2);
    this.withLength(bytes);
  }

  private withLength(bytes: Uint8Array): void {
    this.out.unsigned(bytes.length);
    this.out.append(bytes);
  }

  private tag(field: number, wireType: number): void {
    this.out.unsigned(field * 8 + wireType);
  }
}
