import { describe, expect, it } from 'vitest';
import {
  stallLength,
  layoutStrip,
  nominalFrameRate,
  runTime,
  stripRange,
  type QualityHistory,
  type QualitySecond,
} from './qualityStrip';

const box = { widthPx: 300, heightPx: 30 };

function seconds(rates: readonly (number | undefined)[], fromMs = 0): QualitySecond[] {
  return rates.map((fps, index) => ({ timeMs: fromMs + index * 1000, fps }));
}

function history(rates: readonly (number | undefined)[], more: Partial<QualityHistory> = {}): QualityHistory {
  return { startMs: 0, seconds: seconds(rates), stalls: [], ...more };
}

/** Bars of a path: position and height in px. */
function bars(path: string): { x: number; tall: number }[] {
  return [...path.matchAll(/M([\d.]+) [\d.]+h[\d.]+v-([\d.]+)/g)].map(([, x, tall]) => ({
    x: Number(x),
    tall: Number(tall),
  }));
}

describe('layoutStrip', () => {
  it('draws one bar per second, with the frame rate as height', () => {
    const shape = layoutStrip(history([25, 25, 25, 22.5]), { ...box, nowMs: 4000, nominalFps: 25 });
    expect(shape.secondsPerBar).toBe(1);
    expect(bars(shape.good)).toEqual([
      { x: 0, tall: 24 },
      { x: 5, tall: 24 },
      { x: 10, tall: 24 },
      { x: 15, tall: 21.6 },
    ]);
    expect(shape.low + shape.stalled).toBe('');
  });

  it('marks seconds under 80 % of the frame rate of the stream, and no others', () => {
    const shape = layoutStrip(history([25, 20, 19.9]), { ...box, nowMs: 3000, nominalFps: 25 });
    expect(bars(shape.good)).toHaveLength(2);
    expect(bars(shape.low)).toHaveLength(1);
    expect(shape.lowSeconds).toBe(1);
  });

  it('leaves a gap without playback', () => {
    const shape = layoutStrip(history([25, undefined, 25]), { ...box, nowMs: 3000, nominalFps: 25 });
    expect(bars(shape.good).map(({ x }) => x)).toEqual([0, 10]);
    expect(shape.lowSeconds).toBe(0);
  });

  it('draws a stall at full height with its duration, and not as a low second too', () => {
    const stalls = [{ startMs: 1600, lengthMs: 800, open: false }];
    const shape = layoutStrip(history([25, 14, 20, 25], { stalls }), {
      ...box,
      nowMs: 4000,
      nominalFps: 25,
    });
    expect(bars(shape.stalled)).toEqual([
      { x: 5, tall: 30 },
      { x: 10, tall: 30 },
    ]);
    expect(shape.lowSeconds).toBe(0);
    expect(shape.labels.filter(({ kind }) => kind === 'stall').map(({ text }) => text)).toEqual(['0.8 s']);
  });

  it('shows the minimum per bar once the time has more seconds than the strip has pixels', () => {
    const rates = Array.from({ length: 1000 }, (_, index) => (index === 900 ? 5 : 25));
    const shape = layoutStrip(history(rates), { ...box, nowMs: 1_000_000, nominalFps: 25 });
    expect(shape.secondsPerBar).toBeGreaterThan(1);
    expect(bars(shape.low)).toHaveLength(1);
    expect(bars(shape.good).length).toBeLessThanOrEqual(200);
  });

  it('stays inside its box', () => {
    for (const elapsedS of [1, 59, 61, 599, 3600, 40_000]) {
      const rates = Array.from({ length: elapsedS }, () => 60);
      const shape = layoutStrip(history(rates), { ...box, nowMs: elapsedS * 1000, nominalFps: 25 });
      const drawn = [...bars(shape.good), ...bars(shape.low)];
      expect(Math.max(...drawn.map(({ x }) => x))).toBeLessThan(box.widthPx);
      expect(Math.max(...drawn.map(({ tall }) => tall))).toBeLessThanOrEqual(box.heightPx);
    }
  });

  it('hides an axis time that overlaps the duration of a stall', () => {
    const stalls = [{ startMs: 30_000, lengthMs: 600, open: false }];
    const shape = layoutStrip(history([25], { stalls }), { ...box, nowMs: 40_000, nominalFps: 25 });
    expect(shape.labels.map(({ text }) => text)).toEqual(['0:00', '0.6 s']);
  });
});

describe('nominalFrameRate', () => {
  it('is unknown before three seconds of playback', () => {
    expect(nominalFrameRate(seconds([25, undefined, 25, 0]))).toBeUndefined();
  });

  it('is not lowered by bad seconds', () => {
    expect(nominalFrameRate(seconds([25, 12, 25, 8, 25, 25.1, 3]))).toBe(25);
  });
});

it('spans one to five minutes, always with space ahead and in steps', () => {
  expect(stripRange(0, 0)).toEqual({ fromMs: 0, spanMs: 60_000 });
  expect(stripRange(0, 124_000)).toEqual({ fromMs: 0, spanMs: 180_000 });
  for (let s = 0; s < 20_000; s += 97) {
    const { fromMs, spanMs } = stripRange(0, s * 1000);
    expect(fromMs + spanMs).toBeGreaterThanOrEqual(s * 1000);
    expect(spanMs).toBeLessThanOrEqual(315_000);
    expect(fromMs % 15_000).toBe(0);
    if (s > 320) expect(s * 1000 - fromMs).toBeGreaterThanOrEqual(300_000);
  }
});

it('labels times of the run, also when its begin is out of sight', () => {
  const shape = layoutStrip(history([], { startMs: 0 }), { ...box, nowMs: 1_000_000, nominalFps: 25 });
  expect(shape.labels.map(({ text }) => text)).toEqual(['12:00', '14:00', '16:00']);
});

it('formats run times and stall durations', () => {
  expect([0, 42_900, 106_000, 3_723_000].map(runTime)).toEqual(['0:00', '0:42', '1:46', '1:02:03']);
  expect(stallLength(830)).toBe('0.8 s');
});
