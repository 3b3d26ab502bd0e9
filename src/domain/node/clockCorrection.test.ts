import { expect, it } from 'vitest';
import { clockCorrectionMs } from './clockCorrection';

it('corrects a delay by what the clocks differ, where that exceeds the uncertainty of both', () => {
  const clock = (offsetMs: number, uncertaintyMs = 1) => ({ offsetMs, uncertaintyMs });
  // The tester's clock is 5 s ahead: packets seem to arrive 5 s later than they do.
  expect(clockCorrectionMs(clock(5000), clock(0))).toBe(-5000);
  expect(clockCorrectionMs(clock(0), clock(5000))).toBe(5000);
  expect(clockCorrectionMs(clock(-40, 10), clock(20, 45))).toBe(60);
  expect(clockCorrectionMs(clock(-40, 10), clock(20, 50))).toBe(0);
  expect(clockCorrectionMs(clock(3), clock(3))).toBe(0);
});

it('corrects nothing without the offset of either clock', () => {
  expect(clockCorrectionMs(undefined, { offsetMs: 9000, uncertaintyMs: 1 })).toBe(0);
  expect(clockCorrectionMs({ offsetMs: 9000, uncertaintyMs: 1 }, undefined)).toBe(0);
});
