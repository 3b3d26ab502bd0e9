import { expect, it } from 'vitest';
import { meterShare } from './audioLevel';

it('fills the meter in decibels over 60 dB', () => {
  expect(meterShare(1)).toBe(1);
  expect(meterShare(0.1)).toBeCloseTo(2 / 3);
  expect(meterShare(0.001)).toBeCloseTo(0);
  expect([meterShare(0), meterShare(0.000_01), meterShare(1.4)]).toEqual([0, 0, 1]);
});
