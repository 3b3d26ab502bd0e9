import { expect, it } from 'vitest';
import type { BuiltInFamily } from '../../../domain/model/serverFamilies';
import { builtInRules } from '../families';
import { streamOf } from './detect';

it.each<[BuiltInFamily, string, string | undefined]>([
  ['broadcast-box', 'http://host:8080/publish/cam', 'cam'],
  ['broadcast-box', 'http://host:8080/cam', 'cam'],
  ['broadcast-box', 'http://host:8080/api/whep', undefined],
  ['broadcast-box', 'http://host:8080/', undefined],
  ['live777', 'http://host:7777/tools/player.html?id=cam&autoplay', 'cam'],
  ['live777', 'http://host:7777/whep/cam', 'cam'],
  ['galene', 'https://host:8443/group/cam/', 'cam'],
  ['janus', 'http://host:7090/whep/endpoint/cam', 'cam'],
  ['icecast', 'http://host:8000/cam.mp3.m3u', 'cam.mp3'],
  ['icecast', 'http://host:8000/cam.mp3', 'cam.mp3'],
  ['owncast', 'http://host:8080/hls/stream.m3u8', undefined],
  ['wowza', 'http://host:1935/live/cam/playlist.m3u8', 'cam'],
  ['wowza', 'http://host:1935/show/cam/playlist.m3u8', 'show/cam'],
  ['wowza', 'http://host:1935/live/_definst_/cam/playlist.m3u8', 'cam'],
  ['wowza', 'rtsp://host:1935/live/cam', 'cam'],
  ['red5', 'rtmp://host/live/cam', 'cam'],
  ['red5-pro', 'http://host:5080/live/whep/endpoint/cam', 'cam'],
  ['red5-pro', 'http://host:5080/live/viewer.jsp?host=host&stream=cam', 'cam'],
])('in %s, %s names the stream %s', (family, address, stream) => {
  expect(streamOf(builtInRules(family), new URL(address))).toBe(stream);
});
