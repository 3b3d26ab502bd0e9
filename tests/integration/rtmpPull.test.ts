import { get } from 'node:http';
import { resolve } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { JobSample, AgentRecord } from '../../src/contract/agentSample';
import type { AudienceViewer } from '../../src/contract/viewerSchemas';
import { type AgentLink } from '../../src/engine/links/agentLink';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { certificateMaker } from './servers/certificates';
import { startNginxRtmp, type NginxRtmp } from './servers/nginxRtmp';
import { startTlsFront } from './servers/tlsFront';
import { until } from '../support/until';
import { jobPercentile } from '../support/jobPercentile';
import { agentFolder, cleanUp, later, temporaryFolder } from './support';

afterEach(cleanUp);

interface PlayOptions {
  readonly protocol?: 'hls';
  readonly tracks?: 'audio';
}

interface Audience {
  readonly link: AgentLink;
  /** The last started job, from the latest sample. */
  job(): JobSample | undefined;
  play(url: string, viewers: number, other?: { readonly stageTimeoutMs?: number } & PlayOptions): Promise<void>;
  stop(): Promise<unknown>;
  viewers(): Promise<readonly AudienceViewer[]>;
}

async function audience(): Promise<Audience> {
  const agent = await startLocalAgent({ binary: localAgentBinary(agentFolder), role: 'audience' });
  later(async () => void (await agent.end(undefined, true)));
  const { token, listening } = agent;
  const link = await openAgentLink({
    address: () => listening.address,
    token,
    who: 'The audience',
    version: '0',
  });
  later(() => link.close());
  let latest: AgentRecord | undefined;
  let number = 0;
  const name = (): string => `pull-${number}`;
  link.onRecord((record) => {
    if (record.kind === 'sample') latest = record;
  });
  return {
    link,
    job: () => (latest?.kind === 'sample' ? latest.sample.jobs?.find(({ job }) => job === name()) : undefined),
    play: async (url, viewers, { stageTimeoutMs = 20_000, ...options } = {}) => {
      number += 1;
      const { warnings } = await link.request('audience.start', {
        ...{ job: name(), protocol: 'rtmp', url, viewers, ratePerSecond: 100, holdMs: 0, stageTimeoutMs, ...options },
      });
      expect(warnings).toEqual([]);
    },
    stop: () => link.request('audience.stop', { job: name() }),
    viewers: async () => (await link.request('audience.viewers', { job: name(), offset: 0, limit: 1000 })).viewers,
  };
}

async function nginx(): Promise<NginxRtmp> {
  const server = await startNginxRtmp(temporaryFolder());
  later(() => server.end());
  return server;
}

/** The server's own count of clients of a stream, including its publisher. */
const clientsOf = async (server: NginxRtmp, stream: string): Promise<number> => {
  const received = await new Promise<string>((answered, reject) => {
    get(server.url, (response) => {
      let text = '';
      response.on('data', (chunk) => (text += String(chunk)));
      response.on('end', () => answered(text));
    }).on('error', reject);
  });
  const [, count = '0'] = new RegExp(`<name>${stream}</name>.*?<nclients>(\\d+)</nclients>`, 's').exec(received) ?? [];
  return Number(count);
};

/** Waits until the server counts this many; allows for a busy machine. */
const serverCounts = async (server: NginxRtmp, stream: string, clients: number): Promise<void> => {
  for (let i = 0; i < 200 && (await clientsOf(server, stream)) !== clients; i += 1)
    await new Promise((passed) => setTimeout(passed, 50));
  expect(await clientsOf(server, stream)).toBe(clients);
};

it('fifty viewers play a stream of a real nginx-rtmp, disconnect, and detect its end', async () => {
  const server = await nginx();
  const publisher = server.publish('live/cam', 60);
  await serverCounts(server, 'cam', 1);
  const here = await audience();
  expect(here.link.hello.protocols).toContain('rtmp');
  const url = server.rtmp.replace('{stream}', 'cam');
  await here.play(`${url}?key=secret`, 50);
  const fits = (): boolean => {
    const { connected, degraded } = here.job() ?? {};
    const frameRate = jobPercentile(here.job(), 'frameRate') ?? 0;
    return connected === 50 && degraded === 0 && frameRate >= 23 && frameRate <= 27;
  };
  expect(await until(fits, 30_000), JSON.stringify(here.job())).toBe(true);
  expect(here.job()).toMatchObject({ failed: 0, present: 50 });
  expect(here.job()?.lossPercent).toBeUndefined();
  expect(await clientsOf(server, 'cam')).toBe(51);
  // The agent reads the round trip of each viewer in turn.
  const areMeasured = async (): Promise<boolean> =>
    (await here.viewers()).every(({ roundTripMs = 0 }) => roundTripMs > 0);
  expect(await until(areMeasured)).toBe(true);
  for (const viewer of await here.viewers()) {
    expect(viewer).toMatchObject({ state: 'connected', lost: 0, degraded: false });
    expect(viewer.firstFrameMs).toBeGreaterThanOrEqual(viewer.connectMs ?? NaN);
  }

  await here.stop();
  expect(await until(() => here.job()?.state === 'ended', 20_000)).toBe(true);
  expect(here.job()).toMatchObject({ disconnected: 50, present: 0, failed: 0 });
  await serverCounts(server, 'cam', 1);

  await here.play(url, 5);
  expect(await until(() => here.job()?.connected === 5 && here.job()?.state === 'holding', 20_000)).toBe(true);
  await publisher.end();
  expect(await until(() => here.job()?.failed === 5, 30_000)).toBe(true);
  const [failure] = here.job()?.failures ?? [];
  expect(failure).toMatchObject({ stage: 'media', cause: 'unpublished', count: 5 });
  expect(failure?.example.detail).toMatch(/^127\.0\.0\.1:\d+ reported the end of the stream/);
});

it('AV1 in Enhanced RTMP is published, relayed by a real nginx-rtmp and played', async () => {
  const server = await nginx();
  const here = await audience();
  const url = server.rtmp.replace('live/{stream}', 'show/cam');
  const sample = resolve('agent/internal/media/testdata/av1.ivf');
  await here.link.request('audience.publish', { job: 'publish', protocol: 'rtmp', url, sample });
  await serverCounts(server, 'cam', 1);
  await here.play(url, 5);
  const fits = (): boolean =>
    here.job()?.connected === 5 && Math.abs((jobPercentile(here.job(), 'frameRate') ?? 0) - 25) < 3;
  expect(await until(fits, 30_000), JSON.stringify(here.job())).toBe(true);
  const { streams } = await here.link.request('audience.viewer', { job: 'pull-1', viewer: 1 });
  expect(streams).toMatchObject([{ kind: 'video', codec: 'AV1' }]);
  await here.link.request('audience.unpublish', { job: 'publish' });
});

it('a stream without video, and the audio of one with video, have no frame rate', async () => {
  const server = await nginx();
  server.publishAudio('live/radio');
  server.publish('live/cam', 60);
  await serverCounts(server, 'radio', 1);
  await serverCounts(server, 'cam', 1);
  const here = await audience();
  const plays = async (options: PlayOptions, url: string): Promise<void> => {
    await here.play(url, 3, options);
    const isPlaying = async (): Promise<boolean> =>
      here.job()?.connected === 3 && (await here.viewers()).every(({ firstFrameMs }) => firstFrameMs !== undefined);
    expect(await until(isPlaying, 20_000), JSON.stringify(here.job())).toBe(true);
    await new Promise((passed) => setTimeout(passed, 1500));
    expect(here.job()).toMatchObject({ failed: 0 });
    expect(jobPercentile(here.job(), 'frameRate')).toBeUndefined();
    expect((await here.viewers()).every(({ fps, frames }) => fps === undefined && frames === 0)).toBe(true);
    await here.stop();
    expect(await until(() => here.job()?.state === 'ended', 20_000)).toBe(true);
  };
  await plays({ tracks: 'audio' }, server.rtmp.replace('{stream}', 'radio'));
  await plays({ tracks: 'audio' }, server.rtmp.replace('{stream}', 'cam'));
  await plays({ protocol: 'hls', tracks: 'audio' }, server.hls.replace('{stream}', 'cam'));
  await plays({ protocol: 'hls' }, server.hls.replace('{stream}', 'radio'));
});

it('an unpublished stream and an unknown application are distinguished', async () => {
  const server = await nginx();
  const here = await audience();
  await here.play(server.rtmp.replace('{stream}', 'nobody?key=secret'), 3, { stageTimeoutMs: 1000 });
  expect(await until(() => here.job()?.failed === 3, 20_000)).toBe(true);
  const [silent] = here.job()?.failures ?? [];
  // nginx-rtmp accepts every play request without a response.
  expect(silent).toMatchObject({ stage: 'first-packet', cause: 'silent', count: 3 });
  expect(silent?.example.detail).toMatch(/the stream may not be published/);
  await serverCounts(server, 'nobody', 0);
  await here.stop();
  expect(await until(() => here.job()?.state === 'ended', 20_000)).toBe(true);

  await here.play(`rtmp://127.0.0.1:${server.rtmpPort}/nowhere/cam?key=secret`, 3);
  expect(await until(() => here.job()?.failed === 3 && here.job()?.present === 0, 20_000)).toBe(true);
  const [closed] = here.job()?.failures ?? [];
  expect(closed).toMatchObject({ stage: 'signalling', cause: 'closed', count: 3 });
  expect(closed?.example.detail).toMatch(/in response to connect \(application "nowhere"\); .*see its log\.$/);
  expect(JSON.stringify([silent, closed])).not.toContain('secret');
});

it('RTMPS is played through a TLS proxy, unless its certificate is untrusted', async () => {
  const certificates = certificateMaker(temporaryFolder());
  const server = await nginx();
  const front = await startTlsFront(server.rtmpPort, certificates.signed('localhost', 2));
  later(() => front.end());
  server.publish('live/cam', 60);
  await serverCounts(server, 'cam', 1);
  const url = `rtmps://localhost:${front.port}/live/cam`;

  const distrusting = await audience();
  await distrusting.play(url, 2);
  expect(await until(() => distrusting.job()?.failed === 2, 20_000)).toBe(true);
  expect(distrusting.job()?.failures).toMatchObject([{ stage: 'tls', cause: 'certificate', count: 2 }]);

  const before = process.env.SSL_CERT_FILE;
  process.env.SSL_CERT_FILE = certificates.authorityFile;
  later(() => {
    if (before === undefined) delete process.env.SSL_CERT_FILE;
    else process.env.SSL_CERT_FILE = before;
  });
  const trusting = await audience();
  await trusting.play(url, 10);
  expect(
    await until(
      () => trusting.job()?.connected === 10 && (jobPercentile(trusting.job(), 'frameRate') ?? 0) >= 20,
      30_000,
    ),
    JSON.stringify(trusting.job()),
  ).toBe(true);
  expect(await clientsOf(server, 'cam')).toBe(11);
  await trusting.stop();
  expect(await until(() => trusting.job()?.state === 'ended', 20_000)).toBe(true);
  await serverCounts(server, 'cam', 1);
});
