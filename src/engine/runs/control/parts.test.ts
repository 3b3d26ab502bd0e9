import { describe, expect, it } from 'vitest';
import { viewersToAdd } from '../../../domain/model/viewersToAdd';
import { partsOf } from './parts';

describe('parts of the viewers to add', () => {
  it('are as small as the later ramp-down requires, within the maximum number', () => {
    expect(partsOf(20, 5)).toEqual([5, 5, 5, 5]);
    expect(partsOf(20, Number.POSITIVE_INFINITY)).toEqual([20]);
    expect(partsOf(20)).toHaveLength(8);
    expect(partsOf(3)).toEqual([1, 1, 1]);
    expect(partsOf(0)).toEqual([]);
    expect(partsOf(1000, 1)).toHaveLength(100);
    expect(partsOf(1000, 1).reduce((sum, part) => sum + part, 0)).toBe(1000);
  });

  it('go to the testers below their share', () => {
    expect(viewersToAdd(10, [10, 10], [5, 5])).toEqual([5, 5]);
    expect(viewersToAdd(10, [10, 10], [10, 0])).toEqual([0, 10]);
    // One has more than its share since the newest part of the other ended.
    expect(viewersToAdd(2, [6, 6], [8, 2])).toEqual([0, 2]);
  });
});
