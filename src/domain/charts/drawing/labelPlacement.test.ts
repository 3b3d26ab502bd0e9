import { describe, expect, it } from 'vitest';
import { Points } from './decimate';
import { hiddenPixels, labelBox, minOverlap } from './labelPlacement';

const map = { x0: 0, xPerMs: 1, y0: 100, yPerUnit: -1 };

function trace(samples: readonly (readonly [timeMs: number, value: number])[], shown = true) {
  const points = new Points();
  for (const [timeMs, value] of samples) points.push(timeMs, value);
  return { points, shown };
}

describe('label placement on a reference line', () => {
  const above = { x: 4, middle: 42 };
  const below = { x: 4, middle: 58 };

  it('has a patch around its text', () => {
    expect(labelBox(above, 50)).toEqual({ left: 1, right: 57, top: 36, bottom: 48 });
  });

  it('counts the line pixels below it along the time axis', () => {
    const flat = trace([
      [0, 58],
      [30, 58],
      [200, 58],
    ]);
    expect(hiddenPixels([flat], map, labelBox(above, 50))).toBe(56);
    expect(hiddenPixels([flat], map, labelBox(below, 50))).toBe(0);
    expect(hiddenPixels([{ ...flat, shown: false }], map, labelBox(above, 50))).toBe(0);
  });

  it('detects a line that crosses between two samples, and none in a gap', () => {
    const steep = trace([
      [20, 0],
      [30, 100],
    ]);
    expect(hiddenPixels([steep], map, labelBox(above, 50))).toBe(10);
    const broken = trace([
      [0, 58],
      [1, NaN],
      [60, 58],
    ]);
    expect(hiddenPixels([broken], map, labelBox(above, 50))).toBe(0);
  });

  it('uses the first place that hides nothing, else the one that hides least', () => {
    expect(minOverlap([above, below], () => 0)).toBe(above);
    expect(minOverlap([above, below], (place) => (place === above ? 9 : 1))).toBe(below);
    expect(minOverlap([above, below], (place) => (place === above ? 9 : 30))).toBe(above);
    expect(minOverlap([], () => 0)).toBeUndefined();
  });
});
