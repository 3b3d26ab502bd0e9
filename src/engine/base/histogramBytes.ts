import { histogramScale, maxBucket, minBucket } from '../../domain/distribution/buckets';
import { Histogram } from '../../domain/distribution/histogram';
import { ByteReader, ByteWriter } from './bytes';

/**
 * The one encoding of histograms: in samples of agents (as base64) and in run files. Scale, lowest and highest value (IEEE
 * 754, little endian), number of zeros, then the positive and the negative buckets: how many are not empty, and of each
 * its distance from the one before (of the first one its index, signed) and its count. Integers are varints.
 */
export function encodeHistogram(histogram: Histogram): Uint8Array {
  const out = new ByteWriter(256);
  out.unsigned(histogramScale);
  out.float(histogram.low);
  out.float(histogram.high);
  out.unsigned(histogram.zero);
  for (const buckets of [histogram.positive, histogram.negative]) {
    out.unsigned(buckets.size);
    let before: number | undefined;
    for (const [bucket, count] of [...buckets].sort(([a], [b]) => a - b)) {
      if (before === undefined) out.signed(bucket);
      else out.unsigned(bucket - before);
      out.unsigned(count);
      before = bucket;
    }
  }
  return out.bytes();
}

/** Reads a histogram from the reader's position. Throws on anything that `encodeHistogram` does not write. */
export function readHistogram(bytes: ByteReader): Histogram {
  const scale = bytes.unsigned();
  if (scale !== histogramScale) throw new Error(`A histogram has the scale ${scale}, not ${histogramScale}.`);
  const histogram = new Histogram();
  histogram.low = bytes.float();
  histogram.high = bytes.float();
  histogram.zero = bytes.unsigned();
  histogram.count = histogram.zero;
  for (const buckets of [histogram.positive, histogram.negative]) {
    let bucket = 0;
    const size = bytes.count(2);
    for (let place = 0; place < size; place += 1) {
      const step = place === 0 ? bytes.signed() : bytes.unsigned();
      bucket += step;
      const count = bytes.unsigned();
      if ((place > 0 && step === 0) || bucket < minBucket || bucket > maxBucket || count === 0)
        throw new Error('The buckets of a histogram are out of order.');
      buckets.set(bucket, count);
      histogram.count += count;
    }
  }
  if (histogram.count === 0 || !Number.isSafeInteger(histogram.count) || !(histogram.low <= histogram.high))
    throw new Error('A histogram has no values, or its lowest is above its highest.');
  return histogram;
}

/** The inverse of `encodeHistogram`. */
export function decodeHistogram(data: Uint8Array): Histogram {
  const bytes = new ByteReader(Buffer.from(data.buffer, data.byteOffset, data.byteLength));
  const histogram = readHistogram(bytes);
  if (bytes.left > 0) throw new Error('A histogram is followed by other bytes.');
  return histogram;
}

/** Decodes the text in an agent's sample. */
export function histogramOfText(text: string): Histogram {
  return decodeHistogram(Buffer.from(text, 'base64'));
}
