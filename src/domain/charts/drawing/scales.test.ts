import { describe, expect, it } from 'vitest';
import { roundTop, scaleRange, scaleTicks, timeStep, ticksEvery } from './scales';

const nothing = { lowest: Infinity, highest: -Infinity };
const requested = { low: 0, high: 10, fixed: false };

describe('value scales', () => {
  it('end at a round number whose half is round', () => {
    expect([0.7, 1.1, 22, 742, 1000, 1001, 5.2].map(roundTop)).toEqual([0.8, 1.2, 24, 800, 1000, 1200, 6]);
  });

  it('show at least the requested range and grow before the data touches the end', () => {
    expect(scaleRange(requested, nothing, undefined)).toEqual({ low: 0, high: 10 });
    expect(scaleRange(requested, { lowest: 0, highest: 10 }, undefined).high).toBe(10);
    expect(scaleRange(requested, { lowest: 0, highest: 11.8 }, undefined).high).toBe(16);
  });

  it('do not flicker while a value oscillates around a round number', () => {
    const grown = scaleRange(requested, { lowest: 0, highest: 21 }, undefined);
    expect(grown.high).toBe(24);
    expect(scaleRange(requested, { lowest: 0, highest: 17 }, grown).high).toBe(24);
    expect(scaleRange(requested, { lowest: 0, highest: 11 }, grown).high).toBe(12);
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
    expect(scaleRange(bandwidth, { lowest: 0, highest: 200 }, near).high).toBe(240);
  });

  it('keep a third of a lower panel free for its name', () => {
    expect(scaleRange({ low: 0, high: 6, fixed: false }, { lowest: 0, highest: 23 }, undefined, 1 / 3).high).toBe(40);
  });

  it('have three ticks, a lower panel two', () => {
    expect(scaleTicks({ low: 18, high: 26 }, false)).toEqual([18, 22, 26]);
    expect(scaleTicks({ low: 0, high: 40 }, true)).toEqual([0, 20]);
    expect(scaleTicks({ low: 0, high: 100 }, false, 27)).toEqual([0, 100]);
    expect(scaleTicks({ low: 0, high: 100 }, true, 17)).toEqual([0]);
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
