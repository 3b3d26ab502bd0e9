import { expect, it } from 'vitest';
import { rounded } from './rounded';

it.each([
  [12.345678, 12.35],
  [0.658870453893398, 0.659],
  [2.2246130000003177, 2.225],
  [123.456, 123.5],
  [98765.4321, 98765],
  [17670144, 17670144],
  [0.00004, 0],
  [-12.345678, -12.35],
  [0, 0],
])('%f is kept as %f', (value, kept) => {
  expect(rounded(value)).toBe(kept);
});
