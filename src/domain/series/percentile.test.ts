import { describe, expect, it } from 'vitest';
import { percentile } from './percentile';

describe('percentile', () => {
  it('is the nearest rank, so always a measured value', () => {
    const sorted = [1, 2, 3, 4, 5, 6, 7, 8, 9, 100];
    expect(percentile(sorted, 50)).toBe(5);
    expect(percentile(sorted, 90)).toBe(9);
    expect(percentile(sorted, 91)).toBe(100);
    expect(percentile(sorted, 99)).toBe(100);
  });

  it('stays within the ends', () => {
    expect(percentile([7], 0)).toBe(7);
    expect(percentile([7], 100)).toBe(7);
    expect(percentile([3, 9], 0)).toBe(3);
  });

  it('is undefined without values', () => {
    expect(percentile([], 50)).toBeUndefined();
  });
});
