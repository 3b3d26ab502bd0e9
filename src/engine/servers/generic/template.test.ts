import { expect, it } from 'vitest';
import { publishedSrt } from './genericAddresses';
import { templateOf, counterpartOf } from './template';

it.each([
  ['http://h:8080/whep/cam', 'http://h:8080/whep/{stream}', 'cam'],
  ['http://h/cam/whep', 'http://h/{stream}/whep', 'cam'],
  ['http://h/rtc/v1/whep/?app=live&stream=my%20cam', 'http://h/rtc/v1/whep/?app=live&stream={stream}', 'my cam'],
  ['http://h/hls/cam.m3u8?token=1', 'http://h/hls/{stream}.m3u8?token=1', 'cam'],
  ['http://h/live/cam/index.m3u8', 'http://h/live/{stream}/index.m3u8', 'cam'],
  ['rtsp://h:8554/live/cam', 'rtsp://h:8554/live/{stream}', 'cam'],
  ['srt://h:9000?streamid=read:cam', 'srt://h:9000?streamid=read%3A{stream}', 'cam'],
  [
    'srt://h:9000?streamid=%23!::r=live/cam,m=request&latency=1',
    'srt://h:9000?streamid=%23!%3A%3Ar%3D{stream}%2Cm%3Drequest&latency=1',
    'live/cam',
  ],
  ['https://h/live/my%20cam.flv#x', 'https://h/live/{stream}.flv', 'my cam'],
  ['http://me:secret@h/whep/cam/', 'http://h/whep/{stream}/', 'cam'],
  ['http://[::1]:8080/a/cam', 'http://[::1]:8080/a/{stream}', 'cam'],
  ['http://h/live/100%.flv', 'http://h/live/{stream}.flv', '100%'],
  ['srt://h:9000?streamid=100%', 'srt://h:9000?streamid={stream}', '100%'],
  ['http://h/whep', 'http://h/whep', undefined],
])('%s becomes %s', (typed, address, stream) => {
  expect(templateOf(new URL(typed))).toEqual({ address, ...(stream === undefined ? {} : { stream }) });
});

it('derives the publish address from the pull address and back', () => {
  expect(counterpartOf('http://h/whep/{stream}')).toBe('http://h/whip/{stream}');
  expect(counterpartOf('http://h/{stream}/whip')).toBe('http://h/{stream}/whep');
  expect(counterpartOf('http://h/rtc/v1/whep/?app=live&stream=whip')).toBe(
    'http://h/rtc/v1/whip/?app=live&stream=whip',
  );
  expect(counterpartOf('http://h/live/cam.m3u8')).toBeUndefined();
});

it.each([
  ['srt://h:9000?streamid=read:{stream}', 'srt://h:9000?streamid=publish:{stream}'],
  ['srt://h:9000?streamid=read%3A{stream}&latency=1', 'srt://h:9000?streamid=publish%3A{stream}&latency=1'],
  [
    'srt://h:9000?streamid=%23!%3A%3Ar%3D{stream}%2Cm%3Drequest&latency=1',
    'srt://h:9000?streamid=%23!%3A%3Ar%3D{stream}%2Cm%3Dpublish&latency=1',
  ],
  ['srt://h:9000?streamid=#!::m=request,r={stream}', 'srt://h:9000?streamid=#!::m=publish,r={stream}'],
  ['srt://h:9000?streamid={stream}', 'srt://h:9000?streamid={stream}'],
  ['srt://h:9000', 'srt://h:9000'],
])('publishes to %s at %s', (address, published) => {
  expect(publishedSrt(address)).toBe(published);
});
