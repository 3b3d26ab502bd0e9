import { expect, it } from 'vitest';
import { missingMedia } from './missingMedia';

it('a stream lacks video without a size, and audio without a codec of it', () => {
  expect(missingMedia({ width: 640, audioCodec: 'AAC' }, 'hls')).toBeUndefined();
  expect(missingMedia({ width: 640 }, 'hls')).toBe('audio');
  expect(missingMedia({ audioCodec: 'Opus' }, 'whep')).toBe('video');
  expect(missingMedia({ width: 640 }, 'mjpeg')).toBeUndefined();
});
