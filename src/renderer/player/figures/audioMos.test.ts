import { expect, it } from 'vitest';
import { audioDelayMs, audioMos } from './audioMos';

it('is that of the default E-model without delay and loss', () => {
  // G.107: R = 93.2 is a MOS of 4.41.
  expect(audioMos(0, 0)).toBeCloseTo(4.41, 2);
});

it('falls with delay, faster above 177 ms', () => {
  // R = 93.2 - 0.024 * 100 = 90.8 and 93.2 - 0.024 * 300 - 0.11 * 122.7 = 72.5.
  expect(audioMos(100, 0)).toBeCloseTo(4.36, 2);
  expect(audioMos(300, 0)).toBeCloseTo(3.71, 2);
});

it('falls with the concealed share, down to 1', () => {
  // Ie,eff = 95 * 5 / (5 + 25.1) = 15.8, R = 77.4.
  expect(audioMos(0, 5)).toBeCloseTo(3.92, 2);
  expect(audioMos(5000, 100)).toBe(1);
});

it('has half the round trip, a packet and the jitter buffer as delay', () => {
  expect(audioDelayMs(40, 50)).toBe(90);
});
