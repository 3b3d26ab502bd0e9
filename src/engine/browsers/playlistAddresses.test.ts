import { expect, it } from 'vitest';
import { playlistAddresses } from './playlistAddresses';

it('lists what a playlist refers to', () => {
  const master = `#EXTM3U
#EXT-X-DEFINE:NAME="cdn",VALUE="/edge"
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="en",URI="audio/en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO="a"
{$cdn}/low.m3u8?token=1`;
  expect(playlistAddresses(master, 'http://h:8080/live/cam.m3u8')).toEqual([
    'http://h:8080/live/audio/en.m3u8',
    'http://h:8080/edge/low.m3u8?token=1',
  ]);
  const media =
    '#EXTM3U\r\n#EXT-X-MAP:URI="init.mp4"\r\n#EXT-X-PART:DURATION=1,URI="1.0.mp4"\r\n#EXTINF:1,\r\n1.ts\r\n';
  expect(playlistAddresses(media, 'http://h/a/b.m3u8')).toEqual([
    'http://h/a/init.mp4',
    'http://h/a/1.0.mp4',
    'http://h/a/1.ts',
  ]);
  expect(playlistAddresses('<html>\nhttp://h/admin', 'http://h/a/b.m3u8')).toEqual([]);
});
