import { expect, it } from 'vitest';
import { limitedWidth, widthByKey } from './columnWidth';

const press = (key: string, width: number, shiftKey = false): number | undefined =>
  widthByKey({ key, shiftKey }, width, 900);

it('resizes by arrow keys, faster with Shift, and to both limits', () => {
  expect(press('ArrowRight', 100)).toBe(108);
  expect(press('ArrowLeft', 100)).toBe(92);
  expect(press('ArrowRight', 100, true)).toBe(140);
  expect(press('Home', 100)).toBe(32);
  expect(press('End', 100)).toBe(900);
  expect(press('ArrowDown', 100)).toBeUndefined();
});

it('keeps a column at least visible and at most as wide as the table', () => {
  expect(press('ArrowLeft', 36)).toBe(32);
  expect(press('ArrowRight', 899)).toBe(900);
  expect(limitedWidth(-20, 900)).toBe(32);
  expect(limitedWidth(120.4, 900)).toBe(120);
});
