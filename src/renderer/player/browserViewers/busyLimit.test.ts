import { expect, it } from 'vitest';
import { BusyLimit } from './busyLimit';

/** Allowed viewers after five readings each of these percentages. */
function allowed(...percentages: readonly number[]): number[] {
  const limit = new BusyLimit();
  return percentages.map((percent) => [1, 2, 3, 4, 5].map(() => limit.take(percent, 4)).at(-1) ?? Number.NaN);
}

it('allows one fewer each time that the machine was busy, and one more when it is calm', () => {
  expect(allowed(50, 95, 95, 95, 95, 95)).toEqual([4, 3, 2, 1, 0, 0]);
  expect(allowed(95, 95, 80, 60, 60, 60)).toEqual([3, 2, 2, 3, 4, 4]);
});

it('ignores a short peak', () => {
  const limit = new BusyLimit();
  expect([60, 60, 100, 100, 60].map((percent) => limit.take(percent, 4))).toEqual([4, 4, 4, 4, 4]);
});
