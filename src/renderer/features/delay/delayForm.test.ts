import { expect, it } from 'vitest';
import { usualMedia } from '../../../domain/model/publishMedia';
import { expectationOf, readLoad, readRepeats, readSeconds } from './delayForm';

it('numbers of a delay test are within their bounds, or say them', () => {
  expect(readRepeats('3')).toEqual({ value: 3 });
  expect(readRepeats('20')).toEqual({ value: 20 });
  for (const text of ['0', '21', '1.5', '', 'x']) expect(readRepeats(text).problem).toBe('Enter 1 to 20 repeats.');
  expect(readSeconds('60')).toEqual({ value: 60 });
  expect(readSeconds('1').problem).toBe('Enter 2 to 60 s.');
  expect(readLoad('5,000')).toEqual({ value: 5000 });
  expect(readLoad('5001').problem).toBe('Enter 1 to 5,000 viewers.');
});

it('a delay test says beforehand how long it takes', () => {
  const paths = ['vp8', 'h264'].map((id) => ({
    ...{ id, title: id, publish: 'whip' as const, play: 'whep' as const, isUnderLoad: false },
    media: { ...usualMedia, codec: id as 'vp8' | 'h264' },
  }));
  expect(expectationOf(paths, 3, 20_000)).toBe('2 paths × 3 repeats, about 3 min');
  expect(expectationOf(paths.slice(0, 1), 1, 2000)).toBe('1 path × 1 repeat, about 10 s');
});
