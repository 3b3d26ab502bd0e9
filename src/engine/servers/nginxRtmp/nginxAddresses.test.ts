import { expect, it } from 'vitest';
import { controlUrlOf, flvTemplate, hlsCandidates, nginxAddresses, readName, writeName } from './nginxAddresses';

const stat = 'http://edge.example:8080/stat';
const settings = { server: 'nginx-rtmp' as const, url: stat };

it('has RTMP on the usual port, and HLS only where found or configured', () => {
  const rtmp = 'rtmp://edge.example/live/cam';
  expect(nginxAddresses(settings, stat, {}, 'cam')).toEqual({ play: { rtmp }, publish: { rtmp } });
  expect(
    nginxAddresses(settings, stat, { hls: `http://edge.example:8080${hlsCandidates[0]}` }, 'show/my cam').play,
  ).toEqual({
    rtmp: 'rtmp://edge.example/show/my%20cam',
    hls: 'http://edge.example:8080/hls/my%20cam.m3u8',
  });
  const own = {
    ...settings,
    rtmp: 'rtmp://edge.example:1937/{app}/{stream}',
    hls: 'http://cdn/{stream}.m3u8',
  };
  expect(nginxAddresses(own, stat, {}, 'show/cam').play).toEqual({
    rtmp: 'rtmp://edge.example:1937/show/cam',
    hls: 'http://cdn/show/cam.m3u8',
  });
});

it('has no address in another server block', () => {
  expect(nginxAddresses(settings, stat, {}, 'cam?srv=1')).toEqual({ play: {}, publish: {} });
});

it.each([
  [{ app: 'live', stream: 'cam', server: 0 }, 'cam'],
  [{ app: 'show', stream: 'cam', server: 0 }, 'show/cam'],
  [{ app: 'live', stream: 'cam', server: 2 }, 'cam?srv=2'],
  [{ app: 'show', stream: 'a/b', server: 0 }, 'show/a/b'],
])('writes %j as %s and parses it back', (name, text) => {
  expect(writeName(name)).toBe(text);
  expect(readName(text)).toEqual(name);
});

it('expects the control module beside the stat page', () => {
  expect(controlUrlOf(stat)).toBe('http://edge.example:8080/control');
  expect(controlUrlOf('http://edge.example/rtmp/stat.xml?x=1')).toBe('http://edge.example/rtmp/control');
});

it('has the ports and the HTTP-FLV addresses of nginx-http-flv-module', () => {
  const flv = flvTemplate('http://edge.example/live', 1937);
  expect(nginxAddresses(settings, stat, { flv, ports: [1937, 1938] }, 'show/my cam')).toEqual({
    play: {
      rtmp: 'rtmp://edge.example:1937/show/my%20cam',
      'http-flv': 'http://edge.example/live?port=1937&app=show&stream=my%20cam',
    },
    publish: { rtmp: 'rtmp://edge.example:1937/show/my%20cam' },
  });
  expect(nginxAddresses(settings, stat, { flv, ports: [1937, 1938] }, 'cam?srv=1').play).toEqual({
    rtmp: 'rtmp://edge.example:1938/live/cam',
  });
});
