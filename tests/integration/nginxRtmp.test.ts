import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { OriginSettings } from '../../src/domain/model/nodeSettings';
import { systemClock } from '../../src/engine/base/clock';
import type { HttpLink } from '../../src/engine/links/http/httpLink';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import { nginxRtmpFamily } from '../../src/engine/servers/nginxRtmp';
import { openNginxRtmp, type NginxRtmpServer } from '../../src/engine/servers/nginxRtmp/nginxServer';
import { supportsRtmp } from '../../src/engine/servers/rtmpHandshake';
import { startNginxRtmp, type NginxRtmp } from './servers/nginxRtmp';
import { cleanUp, temporaryFolder } from './support';
import { sleep } from '../support/until';

const ends: Array<() => Promise<void> | void> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});
afterAll(cleanUp);

async function nginx(options?: Parameters<typeof startNginxRtmp>[1]): Promise<NginxRtmp> {
  const server = await startNginxRtmp(temporaryFolder(), options);
  ends.push(() => server.end());
  return server;
}

function link(base: string): HttpLink {
  const http = openHttpLink({ who: 'Edge', base });
  ends.push(() => http.close());
  return http;
}

function open(url: string, over: Partial<OriginSettings> = {}): NginxRtmpServer {
  const settings = { server: 'nginx-rtmp' as const, url, ...over };
  return openNginxRtmp({
    who: 'Edge',
    settings,
    secrets: () => ({}),
    http: link(url),
    clock: systemClock,
  });
}

type Poll = Awaited<ReturnType<NginxRtmpServer['poll']>>;

async function pollUntil(server: NginxRtmpServer, fits: (poll: Poll) => boolean): Promise<Poll> {
  for (const endMs = Date.now() + 20_000; ;) {
    const poll = await server.poll();
    if (fits(poll)) return poll;
    if (Date.now() > endMs) throw new Error(`No such response; the last was ${JSON.stringify(poll)}`);
    await sleep(250);
  }
}

describe('a real nginx-rtmp', () => {
  it('reports a stream from its first second to its end', async () => {
    const real = await nginx();
    const server = open(real.url, { rtmp: real.rtmp });
    const identity = await server.identify();
    expect(identity).toMatchObject({ pid: real.pid, process: 'nginx', remarks: [] });
    expect(identity.software).toMatch(/^nginx-rtmp \d+\.\d+\.\d+ \(nginx \d+\.\d+\.\d+\)$/);
    expect(server.capabilities).toMatchObject({ terminate: true, serves: ['rtmp'], play: ['rtmp'] });
    expect(await server.poll()).toMatchObject({
      values: { originViewers: 0, originStreams: 0 },
      streams: [],
    });

    const publisher = real.publish('live/cam');
    const viewers = [real.play('live/cam'), real.play('live/cam')];
    const { streams, values } = await pollUntil(
      server,
      (poll) =>
        poll.streams[0]?.viewers === 2 && (poll.values.originOutMbps ?? 0) > 0 && (poll.streams[0].fps ?? 0) > 0,
    );
    expect(streams).toMatchObject([
      {
        stream: 'cam',
        source: 'RTMP · 127.0.0.1',
        viewers: 2,
        videoCodec: 'H264',
        audioCodec: 'AAC',
        width: 320,
        height: 240,
        fps: 25,
      },
    ]);
    expect(values).toMatchObject({ originViewers: 2, originStreams: 1, originConnections: 3 });

    // nginx reports no bitrate in the first ten seconds.
    await pollUntil(server, (poll) => (poll.streams[0]?.bitrateKbps ?? 0) > 20);

    // Playlists are beside the stat page, and detected once one exists.
    await pollUntil(server, () => server.capabilities.play.includes('hls'));
    const { play } = server.addresses('cam');
    expect(play).toEqual({
      rtmp: real.rtmp.replace('{stream}', 'cam'),
      hls: real.hls.replace('{stream}', 'cam'),
    });
    expect((await link(real.url).text({ url: play.hls ?? '' })).split('\n')[0]).toBe('#EXTM3U');

    expect(await server.dropViewers('cam')).toBe(2);
    await Promise.all(viewers.map(({ ended }) => ended));
    await server.terminate?.('cam');
    await publisher.ended;
    await pollUntil(server, (poll) => poll.streams.length === 0);
    await expect(server.terminate?.('cam')).rejects.toMatchObject({
      code: 'no-such-stream',
      message: 'Edge: cam has no publisher.',
    });
  });

  it('shows viewers that wait for a publisher, in a separate app', async () => {
    const real = await nginx();
    const server = open(real.url);
    const publisher = real.publish('show/cam');
    await pollUntil(server, (poll) => poll.values.originStreams === 1);
    real.play('show/cam');
    await pollUntil(server, (poll) => poll.values.originViewers === 1);
    await publisher.end();
    const { streams, values } = await pollUntil(server, (poll) => poll.values.originStreams === 0);
    expect(streams).toMatchObject([{ stream: 'show/cam', source: 'no publisher', viewers: 1 }]);
    expect(streams[0]).not.toHaveProperty('bitrateKbps');
    expect(values.originViewers).toBe(1);
  });

  it('without a control module reports what is missing', async () => {
    const real = await nginx({ control: false });
    const server = open(real.url);
    const { remarks } = await server.identify();
    expect(remarks).toEqual([
      `Edge: no control module responds at ${real.url.replace('/stat', '/control')}, so streams can't be ended remotely; enable it with "rtmp_control all" in nginx's configuration.`,
    ]);
    expect(server.capabilities.terminate).toBe(false);
    await expect(server.terminate?.('cam')).rejects.toMatchObject({ code: 'http-404' });
    await expect(server.terminate?.('my cam')).rejects.toMatchObject({ code: 'not-possible' });
  });

  it('with several workers reports that its figures are from one of them', async () => {
    const real = await nginx({ workers: 3 });
    const { remarks, pid } = await open(real.url).identify();
    // The kernel selects the worker; four at once may be the same by chance.
    if (pid === undefined) expect(remarks?.[0]).toContain('nginx runs several workers');
    else expect(remarks).toEqual([]);
  });

  it('is detected by its port only, with its streams counted', async () => {
    const real = await nginx();
    real.publish('live/cam');
    await pollUntil(open(real.url), (poll) => poll.values.originStreams === 1);
    const port = Number(new URL(real.url).port);
    const http = link(real.url);
    const found = await nginxRtmpFamily.look({ host: '127.0.0.1', port, secrets: {}, http, clock: systemClock });
    expect(found).toMatchObject({
      certainty: 1,
      settings: { server: 'nginx-rtmp', url: real.url },
      detail: expect.stringContaining(`stat page on ${port} at /stat, one stream live`) as string,
    });
  });
});

it('RTMP is detected by its handshake', async () => {
  const real = await nginx();
  expect(await supportsRtmp('127.0.0.1', real.rtmpPort, systemClock, 3000)).toBe(true);
  expect(await supportsRtmp('127.0.0.1', Number(new URL(real.url).port), systemClock, 500)).toBe(false);
  expect(await supportsRtmp('127.0.0.1', 1, systemClock, 3000)).toBe(false);
});

describe('an invalid stat page', () => {
  it.each([
    ['<!DOCTYPE html><html></html>', 'an HTML page'],
    ['<?xml version="1.0"?>\n<rtmp>\n<nginx_ver', 'incomplete statistics'],
    ['{"code":0', 'invalid or incomplete JSON'],
  ])('%s', async (body, received) => {
    const server = createServer((_, response) => response.end(body));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/stat`;
    await expect(open(url).poll()).rejects.toMatchObject({
      code: 'bad-answer',
      message: `Edge: ${url} returned ${received} instead of nginx-rtmp statistics; check the address. It is usually http://HOST:8080/stat.`,
    });
    const port = Number(new URL(url).port);
    expect(
      await nginxRtmpFamily.look({ host: '127.0.0.1', port, secrets: {}, http: link(url), clock: systemClock }),
    ).toBeUndefined();
  });
});
