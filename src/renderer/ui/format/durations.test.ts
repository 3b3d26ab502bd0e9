import { expect, it } from 'vitest';
import { readDuration } from './durations';

it('parses durations', () => {
  expect(['90 s', '2min', '1 h 30 min', '0s', '1.5m', '10', '5 days', ''].map(readDuration)).toEqual([
    90_000,
    120_000,
    5_400_000,
    0,
    90_000,
    undefined,
    undefined,
    undefined,
  ]);
});
