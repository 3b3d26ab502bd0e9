import { expect, it } from 'vitest';
import { firstViewers } from './otherLoad';

it.each([
  ['two idle cores', 2, 0, 100],
  ['two cores of which others use some', 2, 15, 50],
  ['two busy cores', 2, 60, 10],
  ['one core', 1, 0, 10],
  ['a large machine that others use', 16, 40, 100],
])('a first run fits a machine of %s', (_, cores, taken, viewers) => {
  expect(firstViewers(cores, taken, 80)).toBe(viewers);
});
