import { expect, it } from 'vitest';
import { burstSampleOf } from './soundReader';

const originMs = 1_795_260_000_500;
const reading = { source: 9, secondLow: 1_795_260_001 % 2 ** 11 };
const played = { reading, timeMs: originMs + 700, uncertaintyMs: 2 };

it('computes the delay of a burst of this window', () => {
  expect(burstSampleOf(played, originMs, new Set([9]))).toEqual({ timeMs: 700, delayMs: 200, uncertaintyMs: 2 });
});

it('rejects bursts of other windows, of recordings and of the future', () => {
  expect(burstSampleOf(played, originMs, new Set([8]))).toBeUndefined();
  expect(burstSampleOf({ ...played, timeMs: originMs + 61_000 }, originMs, new Set([9]))).toBeUndefined();
  expect(burstSampleOf({ ...played, timeMs: originMs + 400 }, originMs, new Set([9]))).toBeUndefined();
});
