import { describe, expect, it } from 'vitest';
import { FullhouseError } from '../../../contract/calls';
import { systemClock } from '../../base/clock';
import type { HttpLink } from '../../links/http/httpLink';
import { readTypedAddress } from '../../fleet/probe/typedAddress';
import { detectSrs } from './detect';

/** As SRS 7.0.18 answers: its API on 1985, its HTTP server on another port, which knows `versions` only. */
const version =
  '{"code":0,"server":"vid-1","service":"s","pid":"7","data":{"major":7,"minor":0,"revision":18,"version":"7.0.18"}}';
const api = {
  '/api/v1/versions': [200, version],
  '/api/v1/streams/': [200, '{"code":0,"server":"vid-1","service":"s","pid":"7","streams":[]}'],
} as const;
const media = { '/': [200, '<html></html>'], '/api/v1/versions': [200, version] } as const;

function linkTo(servers: Readonly<Record<string, Readonly<Record<string, readonly [number, string]>>>>): HttpLink {
  const refuse = (): Promise<never> => Promise.reject(new FullhouseError('refused', 'silence'));
  return {
    request: ({ url }) => {
      const { origin, pathname } = new URL(url);
      const server = servers[origin];
      if (!server) return refuse();
      const [status, body] = server[pathname] ?? [404, 'Not Found'];
      return Promise.resolve({ status, body, headers: { server: 'SRS/7.0.18(Hang)' }, tookMs: 1 });
    },
    json: refuse,
    text: refuse,
    close: () => undefined,
  };
}
const srs = linkTo({ 'http://srs:1985': api, 'http://srs:8080': media, 'http://srs:8088': media });
const probe = (address: string, http = srs): ReturnType<typeof detectSrs> =>
  detectSrs({ ...readTypedAddress(address), secrets: {}, http, clock: systemClock });

describe('the API of SRS', () => {
  it.each([
    ['srs', undefined],
    ['srs:1985', undefined],
    ['srs:8080', undefined],
    ['http://srs:8080/players/srs_player.html', undefined],
    ['http://srs:8080/live/cam.flv', 'cam'],
    ['http://srs:8080/live/100%.flv', '100%'],
    ['rtmp://srs/app/cam', 'app/cam'],
    ['webrtc://srs/live/cam', 'cam'],
    ['webrtc://srs/live/cam?vhost=v', 'cam?vhost=v'],
    ['http://srs:1985/rtc/v1/whep/?app=app&stream=cam', 'app/cam'],
  ])('is found by %s', async (address, stream) => {
    const found = await probe(address);
    expect(found).toMatchObject({ software: 'SRS 7.0.18', settings: { server: 'srs', url: 'http://srs:1985' } });
    expect(found?.settings.flv).toBeUndefined();
    expect(found?.stream).toBe(stream);
  });

  it('is not its HTTP server, whose port is kept for the addresses of streams', async () => {
    const settings = {
      server: 'srs',
      url: 'http://srs:1985',
      flv: 'http://srs:8088/{app}/{stream}.flv',
      hls: 'http://srs:8088/{app}/{stream}.m3u8',
    };
    expect((await probe('http://srs:8088/live/cam.m3u8'))?.settings).toEqual(settings);
    expect((await probe('srs:8088'))?.settings).toEqual(settings);
  });

  it('is not looked for beside a port at which no SRS responds', async () => {
    expect(await probe('srs:9999')).toBeUndefined();
    expect(await probe('srs:8080', linkTo({ 'http://srs:8080': media }))).toBeUndefined();
  });
});
