import { expect, it } from 'vitest';
import { intervalOf } from './interval';

it('holds every bracket whole', () => {
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
  // The half viewer that is rounded away is in the interval all the same.
  expect(intervalOf([{ held: 10, broke: 11 }])).toEqual({ viewers: 11, plusMinus: 1, held: 10, broke: 11 });
});

it('is wider where the repeats do not agree', () => {
  const found = intervalOf([
    { held: 100, broke: 105 },
    { held: 125, broke: 130 },
  ]);
  expect(found).toEqual({ viewers: 115, plusMinus: 25, held: 100, broke: 105 });
});
