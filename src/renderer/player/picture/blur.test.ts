import { expect, it } from 'vitest';
import { blocked, blurred, planeOf, texture } from '../../../../tests/support/planes';
import { blur } from './blur';
import { bandsOf } from './plane';

const picture = texture(320, 192);
const of = (plane: typeof picture): number => blur(bandsOf(plane)) ?? Number.NaN;

it('grows with every further blur', () => {
  const values = [0, 1, 2, 3, 5].map((radius) => of(blurred(picture, radius)));
  expect(values).toEqual([...values].sort((a, b) => a - b));
  expect(new Set(values).size).toBe(values.length);
  expect(values[0]).toBeLessThan(0.5);
  expect(values[4]).toBeGreaterThan(0.85);
});

it('does not take blocks for blur', () => {
  expect(of(blocked(picture, 8, 0.5))).toBeLessThan(of(blurred(picture, 1)));
});

it('counts the more blurred direction', () => {
  const vertical = planeOf(320, 192, (x) => 100 + 50 * Math.sin(x / 40));
  const sharp = planeOf(320, 192, (x, y) => 100 + 50 * Math.sin(x / 40) + (y % 7 === 0 ? 60 : 0));
  expect(of(sharp)).toBeCloseTo(of(vertical), 1);
});

it('is unknown without any difference', () => {
  expect(blur([planeOf(64, 64, () => 80)])).toBeUndefined();
});

it('is the same for a part of a large picture', () => {
  const large = texture(1280, 400);
  expect(of(large)).toBeCloseTo(blur([large]) ?? Number.NaN, 1);
});
