import { describe, expect, it } from 'vitest';
import { roundTop, scaleRange, scaleTicks, stepOf, timeStep, ticksEvery } from './scales';

const nothing = { lowest: Infinity, highest: -Infinity };
const requested = { low: 0, high: 10, fixed: false };

describe('value scales', () => {
  it('end at a round number that round ticks reach', () => {
    expect([0.7, 1.1, 22, 742, 1000, 1001, 5.2].map(roundTop)).toEqual([1, 1.5, 30, 1000, 1000, 1500, 6]);
  });

  it('show at least the requested range and grow before the data touches the end', () => {
    expect(scaleRange(requested, nothing, undefined)).toEqual({ low: 0, high: 10 });
    expect(scaleRange(requested, { lowest: 0, highest: 10 }, undefined).high).toBe(10);
    expect(scaleRange(requested, { lowest: 0, highest: 11.8 }, undefined).high).toBe(15);
  });

  it('do not flicker while a value oscillates around a round number', () => {
    const grown = scaleRange(requested, { lowest: 0, highest: 21 }, undefined);
    expect(grown.high).toBe(30);
    expect(scaleRange(requested, { lowest: 0, highest: 19 }, grown).high).toBe(30);
    expect(scaleRange(requested, { lowest: 0, highest: 11 }, grown).high).toBe(15);
  });

  it('never leave a fixed range', () => {
    const percent = { low: 0, high: 100, fixed: true };
    expect(scaleRange(percent, { lowest: -5, highest: 140 }, undefined)).toEqual({ low: 0, high: 100 });
  });

  it('lower their start in steps if it is not 0', () => {
    const rate = { low: 18, high: 26, fixed: false };
    expect(scaleRange(rate, { lowest: 20, highest: 25 }, undefined)).toEqual({ low: 18, high: 26 });
    expect(scaleRange(rate, { lowest: 13, highest: 25 }, undefined).low).toBe(12);
    expect(scaleRange(rate, { lowest: 0, highest: 25 }, undefined).low).toBe(0);
  });

  it('show a reference line only once the data is close to it, and keep it for a while', () => {
    const bandwidth = { low: 0, high: 1, fixed: false, reach: { from: 300, to: 900 } };
    const far = scaleRange(bandwidth, { lowest: 0, highest: 250 }, undefined);
    expect(far.high).toBe(300);
    const near = scaleRange(bandwidth, { lowest: 0, highest: 310 }, far);
    expect(near.high).toBe(1000);
    expect(scaleRange(bandwidth, { lowest: 0, highest: 240 }, near).high).toBe(1000);
    expect(scaleRange(bandwidth, { lowest: 0, highest: 200 }, near).high).toBe(300);
  });

  it('keep a third of a lower panel free for its name', () => {
    expect(scaleRange({ low: 0, high: 6, fixed: false }, { lowest: 0, highest: 23 }, undefined, 1 / 3).high).toBe(40);
  });

  it('never end above the most that a quantity has', () => {
    const share = { low: 0, high: 0.5, fixed: false, most: 100 };
    expect(scaleRange(share, { lowest: 0, highest: 92 }, undefined, 1 / 3).high).toBe(100);
  });

  it('have two to four ticks at 1, 2, 2.5 or 5 times a power of ten, whatever their range', () => {
    for (let power = -3; power <= 6; power += 1)
      for (let digits = 10; digits < 100; digits += 1) {
        const high = roundTop(digits * 10 ** power);
        const ticks = scaleTicks({ low: 0, high }, false);
        expect(ticks.length, `${ticks.join()}`).toBeGreaterThanOrEqual(3);
        expect(ticks.length, `${ticks.join()}`).toBeLessThanOrEqual(4);
        expect([ticks[0], ticks.at(-1)]).toEqual([0, high]);
        expect(stepOf(ticks).toExponential(2)).toMatch(/^(1|2|2\.5|5)\.?0*e/);
      }
    expect(scaleTicks({ low: 18, high: 26 }, false)).toEqual([20, 25]);
    expect(scaleTicks({ low: 42, high: 62 }, false)).toEqual([50, 60]);
    expect(scaleTicks({ low: 0, high: 15 }, false)).toEqual([0, 5, 10, 15]);
    expect(scaleTicks({ low: 0, high: 50 }, false)).toEqual([0, 25, 50]);
  });

  it('keep the ends where the labels between have no space', () => {
    expect(scaleTicks({ low: 0, high: 100 }, false, 27)).toEqual([0, 100]);
    expect(scaleTicks({ low: 0, high: 15 }, false, 41)).toEqual([0, 15]);
  });

  it('are on a lower panel too, but no 0 and nothing at the end of the upper one', () => {
    expect(scaleTicks({ low: 0, high: 40 }, true)).toEqual([20]);
    expect(scaleTicks({ low: 0, high: 6 }, true, 60)).toEqual([2, 4]);
    for (const high of [1, 1.5, 2, 3, 4, 5, 6, 10]) expect(scaleTicks({ low: 0, high }, true, 22)).toHaveLength(1);
  });
});

describe('time ticks', () => {
  it('are as close as their labels allow', () => {
    expect(timeStep(150_000, 218, 150_000)).toBe(30_000);
    expect(timeStep(624_000, 218, 624_000)).toBe(120_000);
    expect(timeStep(3_900_000, 218, 3_900_000)).toBe(900_000);
    expect(timeStep(60_000, 218, 60_000)).toBe(10_000);
  });
  it('are at round times', () => {
    expect(ticksEvery(12_000, 65_000, 30_000)).toEqual([30_000, 60_000]);
    expect(ticksEvery(0, 60_000, 30_000)).toEqual([0, 30_000, 60_000]);
  });
});
