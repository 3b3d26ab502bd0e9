import { describe, expect, it } from 'vitest';
import { eachText, evenShares } from './shares';

describe('shares', () => {
  it('are even, the first ones taking what is left over', () => {
    expect(evenShares(1000, 3)).toEqual([334, 333, 333]);
    expect(evenShares(2, 3)).toEqual([1, 1, 0]);
    expect(evenShares(5, 0)).toEqual([]);
  });

  it('are told in one word', () => {
    expect(eachText(1000, 2)).toBe('500');
    expect(eachText(1000, 3)).toBe('333-334');
    expect(eachText(3000, 2)).toBe('1,500');
  });
});
