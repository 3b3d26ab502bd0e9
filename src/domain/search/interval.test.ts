import { expect, it } from 'vitest';
import { intervalOf } from './interval';

it('contains every bracket completely', () => {
  expect(intervalOf([])).toBeUndefined();
  expect(intervalOf([{ held: 256, broke: 268 }])).toEqual({
    viewers: 262,
    plusMinus: 6,
    held: 256,
    broke: 268,
  });
  expect(
    intervalOf([
      { held: 256, broke: 265 },
      { held: 260, broke: 268 },
    ]),
  ).toEqual({ viewers: 262, plusMinus: 6, held: 256, broke: 265 });
  // The half viewer lost by rounding is still inside the interval.
  expect(intervalOf([{ held: 10, broke: 11 }])).toEqual({ viewers: 11, plusMinus: 1, held: 10, broke: 11 });
});

it('is wider if the repeats disagree', () => {
  const found = intervalOf([
    { held: 100, broke: 105 },
    { held: 125, broke: 130 },
  ]);
  expect(found).toEqual({ viewers: 115, plusMinus: 25, held: 100, broke: 105 });
});
