import { expect, it } from 'vitest';
import { markedNames, plainNames } from './jobNames';

it('keeps the jobs of several consoles apart', () => {
  const mine = markedNames('a1b2c3d4');
  expect(mine.agents('pull-1')).toBe('pull-1@a1b2c3d4');
  expect(mine.ours(mine.agents('pull-1'))).toBe('pull-1');
  expect(mine.ours(markedNames('ffffffff').agents('pull-1'))).toBeUndefined();
  expect(mine.ours('pull-1')).toBeUndefined();
  expect(plainNames.ours(plainNames.agents('pull-1'))).toBe('pull-1');
});
