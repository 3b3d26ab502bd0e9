import { expect, it } from 'vitest';
import { planeOf, texture } from '../../../../tests/support/planes';
import { scaled } from './scaled';

const mean = (bytes: Uint8Array): number => bytes.reduce((sum, value) => sum + value, 0) / bytes.length;

it('is the plane itself at its own size', () => {
  const plane = texture(64, 48);
  expect(scaled(plane, 64, 48)).toBe(plane);
});

it('is the mean of the covered samples where it becomes smaller', () => {
  const plane = planeOf(4, 2, (x, y) => 10 * x + 100 * y);
  expect([...scaled(plane, 2, 1).bytes]).toEqual([55, 75]);
  // Two thirds: the middle sample belongs half to each side.
  expect([
    ...scaled(
      planeOf(3, 1, (x) => [0, 90, 30][x] ?? 0),
      2,
      1,
    ).bytes,
  ]).toEqual([30, 50]);
});

it.each([
  [320, 180],
  [480, 270],
  [214, 121],
  [1280, 720],
])('keeps the mean at %i x %i', (width, height) => {
  const plane = texture(640, 360);
  const { bytes } = scaled(plane, width, height);
  expect(bytes).toHaveLength(width * height);
  expect(Math.abs(mean(bytes) - mean(plane.bytes))).toBeLessThan(0.3);
});

it('interpolates where it becomes larger', () => {
  expect([
    ...scaled(
      planeOf(2, 1, (x) => 100 * x),
      4,
      1,
    ).bytes,
  ]).toEqual([0, 25, 75, 100]);
  expect([
    ...scaled(
      planeOf(1, 1, () => 7),
      3,
      2,
    ).bytes,
  ]).toEqual([7, 7, 7, 7, 7, 7]);
});
