import { describe, expect, it } from 'vitest';
import { newcomersOf } from './dealt';
import { partsOf } from './parts';

describe('newcomers', () => {
  it('come in parts as fine as they have to leave again, of which there are never too many', () => {
    expect(partsOf(20, 5)).toEqual([5, 5, 5, 5]);
    expect(partsOf(20, Number.POSITIVE_INFINITY)).toEqual([20]);
    expect(partsOf(20)).toHaveLength(8);
    expect(partsOf(3)).toEqual([1, 1, 1]);
    expect(partsOf(0)).toEqual([]);
    expect(partsOf(1000, 1)).toHaveLength(100);
    expect(partsOf(1000, 1).reduce((sum, part) => sum + part, 0)).toBe(1000);
  });

  it('go to the testers that are short of their share', () => {
    expect(newcomersOf(10, [10, 10], [5, 5])).toEqual([5, 5]);
    expect(newcomersOf(10, [10, 10], [10, 0])).toEqual([0, 10]);
    // One has more than its share since the newest of the other left.
    expect(newcomersOf(2, [6, 6], [8, 2])).toEqual([0, 2]);
  });
});
