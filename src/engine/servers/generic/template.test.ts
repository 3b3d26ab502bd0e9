import { expect, it } from 'vitest';
import { templateOf, twinOf } from './template';

it.each([
  ['http://h:8080/whep/cam', 'http://h:8080/whep/{stream}', 'cam'],
  ['http://h/cam/whep', 'http://h/{stream}/whep', 'cam'],
  [
    'http://h/rtc/v1/whep/?app=live&stream=my%20cam',
    'http://h/rtc/v1/whep/?app=live&stream={stream}',
    'my cam',
  ],
  ['http://h/hls/cam.m3u8?token=1', 'http://h/hls/{stream}.m3u8?token=1', 'cam'],
  ['http://h/live/cam/index.m3u8', 'http://h/live/{stream}/index.m3u8', 'cam'],
  ['https://h/live/my%20cam.flv#x', 'https://h/live/{stream}.flv', 'my cam'],
  ['http://me:secret@h/whep/cam/', 'http://h/whep/{stream}/', 'cam'],
  ['http://[::1]:8080/a/cam', 'http://[::1]:8080/a/{stream}', 'cam'],
  ['http://h/whep', 'http://h/whep', undefined],
])('%s is %s', (typed, address, stream) => {
  expect(templateOf(new URL(typed))).toEqual({ address, ...(stream === undefined ? {} : { stream }) });
});

it('finds the twin of an address', () => {
  expect(twinOf('http://h/whep/{stream}')).toBe('http://h/whip/{stream}');
  expect(twinOf('http://h/{stream}/whip')).toBe('http://h/{stream}/whep');
  expect(twinOf('http://h/rtc/v1/whep/?app=live&stream=whip')).toBe(
    'http://h/rtc/v1/whip/?app=live&stream=whip',
  );
  expect(twinOf('http://h/live/cam.m3u8')).toBeUndefined();
});
