import { expect, it } from 'vitest';
import { sizeByKey, sizeWithin } from './splitter';

const limits = { min: 180, max: 420 };

it('moves a separator as the arrow shows, and a pane keeps its limits', () => {
  expect(sizeByKey({ key: 'ArrowRight' }, 'left', 232, limits)).toBe(248);
  expect(sizeByKey({ key: 'ArrowRight' }, 'right', 336, limits)).toBe(320);
  expect(sizeByKey({ key: 'ArrowUp' }, 'bottom', 410, limits)).toBe(420);
  expect(sizeByKey({ key: 'Home' }, 'left', 232, limits)).toBe(180);
  expect(sizeByKey({ key: 'ArrowUp' }, 'left', 232, limits)).toBeUndefined();
  expect(sizeWithin(1000, limits)).toBe(420);
});
