import { describe, expect, it } from 'vitest';
import { encodeColumn } from '../../store/block';
import { decodeColumn } from './decodeColumn';

describe('a column within the page', () => {
  it.each([
    ['counts', [0, 1000, -30_000], [0, 1000, 996]],
    ['decimals', [137, 1137, 2140, 60_000], [41.2, 41.3, 0.001, 99.9]],
    ['anything', [1, 2, 3], [Math.PI, 1e300, -1e-9]],
  ])('is what was encoded: %s', (_, timeMs, value) => {
    const base64 = Buffer.from(encodeColumn({ timeMs, value }, 0)).toString('base64');
    const decoded = decodeColumn(base64, timeMs.length);
    expect(Array.from(decoded.t)).toEqual(timeMs);
    expect(Array.from(decoded.v)).toEqual(value);
  });
});
