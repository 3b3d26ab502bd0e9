import { describe, expect, it } from 'vitest';
import { crosshairStep } from './crosshairKeys';

const axis = (cursorMs: number | undefined, range = { fromMs: 20_400, toMs: 80_000 }) => ({
  cursorMs,
  nowMs: 60_900,
  range,
});

describe('keys of the crosshair', () => {
  it('step by one second, with Shift by ten, within the run', () => {
    expect(crosshairStep('ArrowRight', false, axis(30_000))).toBe(31_000);
    expect(crosshairStep('ArrowLeft', true, axis(30_000))).toBe(20_000);
    expect(crosshairStep('ArrowLeft', true, axis(4000))).toBe(0);
    expect(crosshairStep('ArrowRight', true, axis(58_000))).toBe(60_000);
  });

  it('go to the first and the last second in view', () => {
    expect(crosshairStep('Home', false, axis(undefined))).toBe(21_000);
    expect(crosshairStep('End', false, axis(undefined))).toBe(60_000);
    expect(crosshairStep('End', false, axis(undefined, { fromMs: 0, toMs: 40_000 }))).toBe(40_000);
  });

  it('start at the end of what is in view, and ignore other keys', () => {
    expect(crosshairStep('ArrowLeft', false, axis(undefined, { fromMs: 0, toMs: 40_000 }))).toBe(39_000);
    expect(crosshairStep('a', false, axis(30_000))).toBeUndefined();
  });
});
