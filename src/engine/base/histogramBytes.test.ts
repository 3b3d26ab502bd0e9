import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Histogram } from '../../domain/distribution/histogram';
import { decodeHistogram, encodeHistogram, histogramOfText } from './histogramBytes';

interface Case {
  readonly name: string;
  readonly values: number[];
  readonly text: string;
}

// The agent's tests read the same file.
const cases = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../tests/fixtures/histograms.json'), 'utf8'),
) as Case[];

describe('the encoding of histograms', () => {
  it.each(cases)('is the same as that of the agent: $name', ({ values, text }) => {
    expect(Buffer.from(encodeHistogram(Histogram.of(values))).toString('base64')).toBe(text);
    const read = histogramOfText(text);
    expect(read.count).toBe(values.length);
    expect(read.low).toBe(Math.min(...values));
    expect(read.high).toBe(Math.max(...values));
  });

  it('is read back as it was', () => {
    const histogram = Histogram.of([0, 0, 1, 1.5, 1.5, 900, -3, -3.5, -1000]);
    expect(decodeHistogram(encodeHistogram(histogram))).toEqual(histogram);
  });

  it.each([
    ['of another scale', [5, ...new Array<number>(20).fill(0)], /scale 5/],
    ['that ends early', [6, 0, 0, 0], /end too early/],
    ['without values', [6, ...new Array<number>(19).fill(0)], /no values/],
    ['with more buckets than bytes', [6, ...new Array<number>(16).fill(0), 0, 200, 1, 1], /end too early/],
    ['with the same bucket twice', [6, ...new Array<number>(16).fill(0), 0, 2, 2, 1, 0, 1, 0], /out of order/],
    [
      'with a bucket far beyond any value',
      [6, ...new Array<number>(16).fill(0), 0, 1, 255, 255, 3, 1, 0],
      /out of order/,
    ],
    ['with bytes behind it', [6, ...new Array<number>(16).fill(0), 1, 0, 0, 9], /followed/],
  ])('refuses one %s', (_, bytes, problem) => {
    expect(() => decodeHistogram(Uint8Array.from(bytes))).toThrow(problem);
  });
});
