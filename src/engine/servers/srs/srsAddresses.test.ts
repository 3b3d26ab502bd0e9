import { expect, it } from 'vitest';
import { defaultPorts, readName, rtmpPortOf, srsAddresses, writeName } from './srsAddresses';

const base = 'http://edge.example:1985';
const settings = { server: 'srs' as const, url: base };

it("derives the usual addresses from the API's host", () => {
  expect(srsAddresses(settings, base, defaultPorts, 'cam')).toEqual({
    play: {
      whep: 'http://edge.example:1985/rtc/v1/whep/?app=live&stream=cam',
      rtmp: 'rtmp://edge.example/live/cam',
      'http-flv': 'http://edge.example:8080/live/cam.flv',
    },
    publish: {
      whip: 'http://edge.example:1985/rtc/v1/whip/?app=live&stream=cam',
      rtmp: 'rtmp://edge.example/live/cam',
    },
  });
});

it('uses the settings and what the server reports', () => {
  const ports = { rtmp: 1936, media: undefined, hls: true, webrtc: false, whepPath: 'whep' as const };
  const own = { ...settings, hls: 'https://cdn.example/{app}/{stream}/index.m3u8' };
  expect(srsAddresses(own, base, ports, 'show/my cam')).toEqual({
    play: {
      rtmp: 'rtmp://edge.example:1936/show/my%20cam',
      hls: 'https://cdn.example/show/my%20cam/index.m3u8',
    },
    publish: { rtmp: 'rtmp://edge.example:1936/show/my%20cam' },
  });
});

it('adds a virtual host where a stream has one', () => {
  const { play } = srsAddresses(settings, base, { ...defaultPorts, hls: true }, 'live/cam?vhost=b.example');
  expect(play).toMatchObject({
    whep: 'http://edge.example:1985/rtc/v1/whep/?app=live&stream=cam&vhost=b.example',
    hls: 'http://edge.example:8080/live/cam.m3u8?vhost=b.example',
  });
});

it.each([
  [{ app: 'live', stream: 'cam' }, 'cam'],
  [{ app: 'show', stream: 'cam' }, 'show/cam'],
  [{ app: 'show/eu', stream: 'cam' }, 'show/eu/cam'],
  [{ app: 'live', stream: 'cam', vhost: 'b.example' }, 'cam?vhost=b.example'],
])('writes %j as %s and parses it back', (name, text) => {
  expect(writeName(name)).toBe(text);
  expect(readName(text)).toEqual(name);
});

it('takes the RTMP port from a publisher', () => {
  expect([
    rtmpPortOf('rtmp://10.77.0.1:1936/live'),
    rtmpPortOf('rtmp://10.77.0.1/live'),
    rtmpPortOf('rtmp://[::1]:1937/live'),
    rtmpPortOf('webrtc://10.77.0.1/live'),
    rtmpPortOf(''),
  ]).toEqual([1936, 1935, 1937, undefined, undefined]);
});
