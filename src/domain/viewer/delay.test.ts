import { expect, it } from 'vitest';
import { clocksDifferSentence, isPossibleDelay } from './delay';

it('takes a delay beyond -1 s and 60 s as a difference of the clocks, and says which one is ahead', () => {
  expect([-1000, 0, 60_000].every(isPossibleDelay)).toBe(true);
  expect([-1001, 60_001].some(isPossibleDelay)).toBe(false);
  expect(clocksDifferSentence('cam', 'tester-1', -3240)).toContain('ahead of that of tester-1: it would be -3.2 s');
  expect(clocksDifferSentence('cam', 'tester-1', 75_000)).toContain('behind that of tester-1: it would be 75 s');
  expect(clocksDifferSentence('cam', 'tester-1', undefined)).toContain('by more than an hour');
});
