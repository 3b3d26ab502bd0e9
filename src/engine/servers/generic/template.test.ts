import { expect, it } from 'vitest';
import { publishedSrt } from '../configuredAddresses';
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
  // `r=` within other keys and values is no name.
  [
    'srt://h:9000?streamid=%23!::user=a:r=b,r=cam,m=request',
    'srt://h:9000?streamid=%23!%3A%3Auser%3Da%3Ar%3Db%2Cr%3D{stream}%2Cm%3Drequest',
    'cam',
  ],
  ['srt://h:9000?streamid=100%', 'srt://h:9000?streamid={stream}', '100%'],
  ['http://h/whep', 'http://h/whep', undefined],
  // The name is in the query, and the path is the same for all streams.
  ['http://h:1984/api/stream.m3u8?src=cam', 'http://h:1984/api/stream.m3u8?src={stream}', 'cam'],
  ['http://h:1984/api/stream.m3u8?src=cam&mp4=flac', 'http://h:1984/api/stream.m3u8?src={stream}&mp4=flac', 'cam'],
  ['http://h/api/stream.flv?src=cam', 'http://h/api/stream.flv?src={stream}', 'cam'],
  ['http://h/api/webrtc?src=cam', 'http://h/api/webrtc?src={stream}', 'cam'],
  ['http://h/whep?name=cam', 'http://h/whep?name={stream}', 'cam'],
  ['http://h/whep/?id=cam', 'http://h/whep/?id={stream}', 'cam'],
  ['http://h/play?streamName=cam', 'http://h/play?streamName={stream}', 'cam'],
  ['http://h/?path=live/cam', 'http://h/?path={stream}', 'live/cam'],
  ['http://h/live?app=live&id=7&stream=cam', 'http://h/live?app=live&id=7&stream={stream}', 'cam'],
  ['http://h/live/index.m3u8?stream=cam', 'http://h/live/index.m3u8?stream={stream}', 'cam'],
  // The name is in the path; what the query has is of the session.
  ['http://h/hls/cam.m3u8?id=7&name=me', 'http://h/hls/{stream}.m3u8?id=7&name=me', 'cam'],
  ['http://h/whep/cam?src=web', 'http://h/whep/{stream}?src=web', 'cam'],
  ['http://h/api/stream.m3u8?src=', 'http://h/api/{stream}.m3u8?src=', 'stream'],
  ['http://h/cam/index.m3u8', 'http://h/{stream}/index.m3u8', 'cam'],
  ['http://h/hls/cam/master.m3u8', 'http://h/hls/{stream}/master.m3u8', 'cam'],
  ['http://h/dash/cam/manifest.mpd', 'http://h/dash/{stream}/manifest.mpd', 'cam'],
  ['http://h/live/cam/hls.m3u8', 'http://h/live/{stream}/hls.m3u8', 'cam'],
  ['http://h/cam/stream.m3u8', 'http://h/{stream}/stream.m3u8', 'cam'],
  ['http://h/live/stream.m3u8', 'http://h/live/{stream}.m3u8', 'stream'],
  ['http://h/hls/live.m3u8', 'http://h/hls/{stream}.m3u8', 'live'],
  ['http://h/live/cam.live.flv', 'http://h/live/{stream}.live.flv', 'cam'],
  ['ws://h:8000/live/cam.flv', 'ws://h:8000/live/{stream}.flv', 'cam'],
  // Without an application, with one, and the application alone.
  ['rtmp://h/cam', 'rtmp://h/{stream}', 'cam'],
  ['rtmp://h:1936/cam?user=a&pass=b', 'rtmp://h:1936/{stream}?user=a&pass=b', 'cam'],
  ['rtmps://h/live/my%20cam', 'rtmps://h/live/{stream}', 'my cam'],
  ['rtmp://h/app/room/cam', 'rtmp://h/app/room/{stream}', 'cam'],
  ['rtmp://h/live', 'rtmp://h/live/{stream}', undefined],
  ['rtmp://h', 'rtmp://h/live/{stream}', undefined],
  // These stay as they are.
  ['http://h/live/{stream}.flv?id=7', 'http://h/live/{stream}.flv?id=7', undefined],
  ['http://h/api/stream.m3u8?src={stream}', 'http://h/api/stream.m3u8?src={stream}', undefined],
  ['rtmp://h/live/{stream}', 'rtmp://h/live/{stream}', undefined],
  ['http://h/', 'http://h/', undefined],
  ['http://h/index.m3u8', 'http://h/index.m3u8', undefined],
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
