import { expect, it } from 'vitest';
import { progressIn } from './mediaRelay';

it('reads the latest counts of several reports, and of a part of one', () => {
  const report = 'frame=25\nfps=24.90\nbitrate= 812.1kbits/s\ntotal_size=101400\nprogress=continue\n';
  expect(progressIn(report)).toEqual({ frames: 25, bytes: 101_400 });
  expect(progressIn(`${report}frame=51\nfps=25.1\ntotal_size=N/A\nframe=  76\ntotal_si`)).toEqual({
    frames: 76,
    bytes: 101_400,
  });
  expect(progressIn('total_size=101400\n')).toBeUndefined();
});
