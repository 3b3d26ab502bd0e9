import { expect, it } from 'vitest';
import { usualMedia } from '../model/publishMedia';
import { expectedTestMs, remainingTestMs } from './duration';
import type { DelayPath } from './paths';

const path = (id: string, play: DelayPath['play'], isUnderLoad = false): DelayPath => ({
  ...{ id, title: id, publish: 'whip', media: usualMedia, isUnderLoad },
  ...(play === undefined ? {} : { play }),
});
const failed = { failed: 'No picture.' };

it('a delay test needs time to publish, for the first picture and to settle besides its measurements', () => {
  const whep = path('vp8', 'whep');
  expect(expectedTestMs([whep], 1, 20_000)).toBe(26_000);
  // One publication serves both.
  expect(expectedTestMs([whep, path('vp8 load', 'whep', true)], 3, 20_000)).toBe(3 * (26_000 + 30_500));
  expect(expectedTestMs([path('hls', 'hls')], 1, 20_000)).toBeGreaterThan(expectedTestMs([whep], 1, 20_000));
  expect(expectedTestMs([], 3, 20_000)).toBe(0);
});

it('the rest of a delay test is what its rows have not been measured yet, less what is being measured', () => {
  const rows = [
    { path: path('a', 'whep'), repeats: [failed, failed] },
    { path: path('b', 'whep'), repeats: [failed] },
  ];
  const wholeMs = remainingTestMs(rows, 2, 20_000);
  expect(wholeMs).toBe(24_500);
  expect(remainingTestMs(rows, 2, 20_000, { row: 1, share: 0.5 })).toBe(wholeMs - 10_000);
  expect(remainingTestMs([], 2, 20_000, { row: 0, share: 1 })).toBe(0);
});
