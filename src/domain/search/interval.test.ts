import { expect, it } from 'vitest';
import { intervalOf } from './interval';

it('contains every bracket completely', () => {
  expect(intervalOf([])).toBeUndefined();
  expect(intervalOf([{ maxMet: 256, minMissed: 268 }])).toEqual({
    viewers: 262,
    plusMinus: 6,
    maxMet: 256,
    minMissed: 268,
  });
  expect(
    intervalOf([
      { maxMet: 256, minMissed: 265 },
      { maxMet: 260, minMissed: 268 },
    ]),
  ).toEqual({ viewers: 262, plusMinus: 6, maxMet: 256, minMissed: 265 });
  // The half viewer lost by rounding is still inside the interval.
  expect(intervalOf([{ maxMet: 10, minMissed: 11 }])).toEqual({ viewers: 11, plusMinus: 1, maxMet: 10, minMissed: 11 });
});

it('is wider if the repeats disagree', () => {
  const found = intervalOf([
    { maxMet: 100, minMissed: 105 },
    { maxMet: 125, minMissed: 130 },
  ]);
  expect(found).toEqual({ viewers: 115, plusMinus: 25, maxMet: 100, minMissed: 105 });
});
