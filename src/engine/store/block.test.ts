import { describe, expect, it } from 'vitest';
import { decodeBlock, encodeBlock, type BlockColumn } from './block';

const startMs = Date.UTC(2026, 10, 22, 15, 20);

function column(seriesId: number, values: number[], stepMs = 1000): BlockColumn {
  return { seriesId, timeMs: values.map((_, i) => startMs + 137 + i * stepMs), value: values };
}

describe('a block of samples', () => {
  it('returns every value bit for bit', () => {
    const columns = [
      column(1, [0, 1, 2, 3, 1000, 999]),
      column(2, [41.2, 0.1, 99.9, 100]),
      column(3, [Math.PI, 1e-9, 1e300, -5.5]),
      column(4, [33_000_000_000, 0, 8_589_934_592]),
      column(5, [-12, 7, -0.25]),
      column(6, [2 ** 53, 1]),
    ];
    expect(decodeBlock(startMs, encodeBlock(startMs, columns))).toEqual(columns);
  });

  it('keeps irregular and repeated times', () => {
    const uneven = {
      seriesId: 9,
      timeMs: [0, 1, 999, 1000, 1004, 59_999].map((ms) => startMs + ms),
      value: [6, 5, 4, 3, 2, 1],
    };
    expect(decodeBlock(startMs, encodeBlock(startMs, [uneven]))).toEqual([uneven]);
  });

  it('reads only the requested series', () => {
    const bytes = encodeBlock(startMs, [column(1, [1, 2]), column(2, [Math.E]), column(3, [3])]);
    expect(decodeBlock(startMs, bytes, { wanted: new Set([3]) }).map((each) => each.value)).toEqual([[3]]);
  });

  it('is small for typical figures', () => {
    const values = Array.from({ length: 60 }, (_, i) => Math.round((50 + 20 * Math.sin(i / 3)) * 10) / 10);
    const columns = Array.from({ length: 50 }, (_, i) =>
      column(
        i + 1,
        values.map((value) => value + i),
      ),
    );
    expect(encodeBlock(startMs, columns).length / (50 * 60)).toBeLessThan(4);
  });

  it('refuses bytes that are not a block', () => {
    const bytes = encodeBlock(startMs, [column(1, [1, 2, 3])]);
    expect(() => decodeBlock(startMs, bytes.subarray(0, 5))).toThrow();
    expect(() => decodeBlock(startMs, Buffer.from('not a block'))).toThrow();
  });
});
