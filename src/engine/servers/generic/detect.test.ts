import { expect, it } from 'vitest';
import { streamsIn } from './detect';

it.each([
  ['src="/hls/cam.m3u8?key=1&amp;b=2"', 'http://h/hls/cam.m3u8?key=1&b=2'],
  ["'cam.mpd'", 'http://h/cam.mpd'],
  ['"http:\\/\\/a\\/live\\/cam.flv"', 'http://a/live/cam.flv'],
  ['"/cam.mjpg"', 'http://h/cam.mjpg'],
  ['"/cam.mjpeg"', 'http://h/cam.mjpeg'],
  ['"/cam/whep"', 'http://h/cam/whep'],
  ['"rtmps://a/live/cam"', 'rtmps://a/live/cam'],
  ['"rtsp://a:554/cam"', 'rtsp://a:554/cam'],
  ['"srt://a:9000?streamid=cam"', 'srt://a:9000?streamid=cam'],
])('a page with %s names a stream', (text, address) => {
  expect(streamsIn(`<video ${text}>`, new URL('http://h/')).map(({ href }) => href)).toEqual([address]);
});

it.each([
  ['http://h:8889/cam/', 'http://h:8889/cam/whep'],
  ['http://h:8889/live/cam/?user=a&pass=b', 'http://h:8889/live/cam/whep?user=a&pass=b'],
])('a script at %s resolves the address of WHEP against the page', (page, address) => {
  for (const text of ["new URL('whep', window.location.href)", 'fetch(new URL( "whep" ,location))'])
    expect(streamsIn(text, new URL(page)).map(({ href }) => href)).toEqual([address]);
  expect(streamsIn('new URL("whepper", location), new URL(whep, location), "whep"', new URL(page))).toEqual([]);
});

it('other texts in quotes are none', () => {
  expect(streamsIn('"/app.js" "https://a/b" "ws://a/b" "turn:a"', new URL('http://h/'))).toEqual([]);
});

it('searches a crafted page in a time proportional to its size', () => {
  const startMs = performance.now();
  for (const text of [`"${'.flv/'.repeat(40_000)}`, '"'.repeat(200_000), `"${'x'.repeat(200_000)}`])
    expect(streamsIn(`${text} "/cam.flv"`, new URL('http://h/')).map(({ pathname }) => pathname)).toEqual(['/cam.flv']);
  expect(performance.now() - startMs).toBeLessThan(2000); // 25 s when each ending was followed to the end
});
