import { resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { AgentResult } from '../../src/contract/agentCalls';
import type { JobSample, AgentPublication } from '../../src/contract/agentSample';
import type { AudienceViewer } from '../../src/contract/viewerSchemas';
import { hasPublisher } from '../../src/domain/model/node';
import { parsePlan } from '../../src/domain/plan/planYaml';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { accessToken } from '../../src/engine/servers/livekit/accessToken';
import { viewerTokens } from '../../src/engine/servers/livekit/viewerTokens';
import { isLive, waitForNode } from './fleetSupport';
import { startCoturn, type Coturn } from './servers/coturn';
import { startLiveKit, startParticipant, type LiveKit } from './servers/livekit';
import { until } from '../support/until';
import { jobPercentile } from '../support/jobPercentile';
import { agentFolder, cleanUp, ended, engineInTemporaryFolder, later, waitForRun, type TestEngine } from './support';

let server: LiveKit;
let relay: Coturn;
beforeAll(async () => {
  relay = await startCoturn();
  server = await startLiveKit({ turn: relay });
});
afterAll(async () => {
  await server.stop();
  await relay.stop();
});
afterEach(cleanUp);

/** Prefix of each LiveKit token. */
const aToken = 'eyJ';
const viewers = 20;

/** A plan as written by a user. */
const planText = (): string => `name: A room by an agent
nodes:
  sfu: { server: livekit, url: "${server.url}", apiKey: ${server.apiKey}, metrics: "${server.metricsUrl}" }
  audience: { tester: local }
publish:
  - { stream: cam, node: sfu, source: sample-240p, by: audience }
pull: { stream: cam, from: sfu, by: [audience], protocol: livekit, viewers: ${viewers}, rate: 20/s, hold: 10s, turn: { share: 25% } }
expect: { connected: ">= 100%", degraded: off, cpu: off, gcPause: off }
`;

interface LiveKitEngine {
  readonly engine: TestEngine;
  /** All messages of the engine so far, as text. */
  readonly received: () => string;
}

async function engineWith(secrets: { readonly apiSecret?: string }): Promise<LiveKitEngine> {
  const engine = engineInTemporaryFolder();
  const received: string[] = [];
  for (const name of ['nodes', 'jobs', 'run', 'event', 'samples'] as const)
    engine.client.on(name, (what: unknown) => received.push(JSON.stringify(what)));
  await engine.client.call('nodes.add', {
    name: 'sfu',
    settings: { server: 'livekit', url: server.url, apiKey: server.apiKey, metrics: server.metricsUrl },
    secrets,
  });
  await waitForNode(engine, 'sfu', isLive);
  return { engine, received: () => [...received, ...engine.sentences].join('\n') };
}

describe('an audience in a room of a real LiveKit', () => {
  it('receives the video, is counted by the origin, and disconnects completely', async () => {
    const { engine, received } = await engineWith({ apiSecret: server.apiSecret });
    const { plan } = parsePlan(planText());
    // A room that is listed, but in which nobody publishes, does not count as published.
    const early = startParticipant(server, { token: tokenFor('cam', 'early') });
    later(() => early.leave());
    await early.printed('joined');
    void waitForNode(engine, 'sfu', ({ streams }) => streams.some(hasPublisher)).then(() => early.leave());
    const end = ended(engine);
    const full = waitForRun(
      engine,
      ({ figures }) => figures.connected === viewers && figures.originViewers === viewers && figures.mediaInMbps > 1,
    );
    const { run } = await engine.client.call('runs.start', { plan });
    await full;
    const list = () => engine.client.call('runs.viewers', { run, offset: 0, limit: 100 });
    // The publisher states once a second when it captured a frame, so viewers of the last second may not know it yet.
    await until(async () => (await list()).viewers.every(({ delayMethod }) => delayMethod !== undefined));
    const listed = await list();
    expect(listed.viewers).toHaveLength(viewers);
    for (const viewer of listed.viewers) {
      expect(viewer).toMatchObject({ state: 'connected' });
      expect(viewer.frames).toBeGreaterThan(0);
      expect(viewer.firstFrameMs).toBeGreaterThan(0);
      expect(viewer.roundTripMs).toBeGreaterThan(0);
    }
    // LiveKit forwards the capture times of its publisher.
    for (const { delayMs, delayMethod } of listed.viewers) {
      expect(delayMethod).toBe('capture-time');
      expect(delayMs).toBeGreaterThan(-5);
      expect(delayMs).toBeLessThan(1000);
    }
    // A quarter of them uses the TURN server that LiveKit lists.
    expect(relay.allocations()).toBe(viewers / 4);

    const view = await end;
    expect(view.verdict, JSON.stringify(view.verdict)).toMatchObject({ verdict: 'pass' });
    expect(view.figures).toMatchObject({ connectedPeak: viewers, failed: 0, present: 0 });
    // The room remains for a while after its publisher has disconnected.
    await waitForNode(engine, 'sfu', ({ streams }) => streams.every((stream) => stream.viewers === 0));
    expect(received()).not.toContain(aToken);
  }, 90_000);

  it('requires key and secret, with a sentence', async () => {
    const { engine } = await engineWith({});
    const { plan } = parsePlan(planText().replace(/publish:\n.*\n/, ''));
    const end = ended(engine);
    await engine.client.call('runs.start', { plan });
    const ending = JSON.stringify(await end);
    expect(ending).toContain(
      "Viewers join a room of sfu with tokens that require LiveKit's API key and secret; edit the node to enter them.",
    );
  });
});

describe('rooms of a real LiveKit', () => {
  it('have participants that publish and receive all others, and publishers in rooms of their own', async () => {
    const { engine } = await engineWith({ apiSecret: server.apiSecret });
    const { plan } = parsePlan(
      planText()
        .replace(
          /publish:\n.*\n/,
          'publish: [{ stream: "solo-{n}", node: sfu, source: sample-240p, by: audience, publishers: 3, rate: 50/s, protocol: livekit }]\n',
        )
        .replace(
          /pull: .*\n/,
          'pull: { stream: "talk-{n}", from: sfu, by: [audience], protocol: livekit, rooms: { size: 3 }, viewers: 6, rate: 20/s, hold: 8s }\n',
        ),
    );
    const end = ended(engine);
    // Each of six receives two others: 12 streams of 0.1 Mbit/s.
    const full = waitForRun(
      engine,
      ({ figures }) => figures.connected === 6 && figures.originViewers === 6 && figures.mediaInMbps > 1,
    );
    const { run } = await engine.client.call('runs.start', { plan });
    await full;
    const { viewers: listed } = await engine.client.call('runs.viewers', { run, offset: 0, limit: 10 });
    expect(listed.map(({ state, failure }) => failure ?? state)).toEqual(Array.from({ length: 6 }, () => 'connected'));
    const { nodes } = await engine.client.call('engine.state', {});
    const streams = nodes.find(({ id }) => id === 'sfu')?.streams ?? [];
    expect(streams.map(({ stream }) => stream).sort()).toEqual(['solo-1', 'solo-2', 'solo-3', 'talk-1', 'talk-2']);
    const view = await end;
    expect(view.verdict, JSON.stringify(view.verdict)).toMatchObject({ verdict: 'pass' });
    expect(view.figures).toMatchObject({ connectedPeak: 6, failed: 0, present: 0 });
  }, 60_000);
});

describe('viewers of several videos', () => {
  it('receive those of all publishers of one room', async () => {
    const { engine } = await engineWith({ apiSecret: server.apiSecret });
    const { plan } = parsePlan(
      planText()
        .replace(
          /publish:\n.*\n/,
          'publish: [{ stream: stage, node: sfu, source: sample-240p, by: audience, publishers: 3, oneRoom: true, rate: 50/s, protocol: livekit }]\n',
        )
        .replace(
          /pull: .*\n/,
          'pull: { stream: stage, from: sfu, by: [audience], protocol: livekit, videos: 3, viewers: 4, rate: 20/s, hold: 8s }\n',
        ),
    );
    const end = ended(engine);
    // Each of four receives three: 12 streams of 0.1 Mbit/s.
    const full = waitForRun(
      engine,
      ({ figures }) => figures.connected === 4 && figures.originViewers === 4 && figures.mediaInMbps > 1,
    );
    const { run } = await engine.client.call('runs.start', { plan });
    await full;
    const [row] = (await engine.client.call('runs.viewers', { run, offset: 0, limit: 10 })).viewers;
    const { streams = [] } = await engine.client.call('runs.viewer', { run, job: row?.job ?? '', viewer: 1 });
    expect(streams.map(({ kind }) => kind).join(' ')).toMatch(/^video video video audio audio audio/);
    const view = await end;
    expect(view.verdict, JSON.stringify(view.verdict)).toMatchObject({ verdict: 'pass' });
    expect(view.figures).toMatchObject({ connectedPeak: 4, failed: 0, present: 0 });
  }, 60_000);
});

interface Size {
  readonly width: number;
  readonly height: number;
}

interface Audience {
  job(): JobSample | undefined;
  publication(): AgentPublication | undefined;
  viewers(): Promise<readonly AudienceViewer[]>;
  detail(): Promise<AgentResult<'audience.viewer'>>;
  /** Publishes files of one video in several sizes, the largest first. */
  publish(token: string, files: readonly [string, ...string[]]): Promise<unknown>;
  enter(
    tokens: readonly string[],
    how?: {
      readonly lossPercent?: number;
      readonly transport?: 'tcp';
      readonly tracks?: 'audio';
      readonly adaptiveStream?: Size;
    },
  ): Promise<unknown>;
}

/** From 4 s on: LiveKit 1.11 never repeats a lost HelloVerifyRequest, so that a handshake without it fails. */
const lossy = (lossPercent: number) => ({
  steps: [
    { afterMs: 0, down: {}, up: {} },
    { afterMs: 4000, down: { lossPercent }, up: {} },
  ],
});

async function audience(): Promise<Audience> {
  const agent = await startLocalAgent({ binary: localAgentBinary(agentFolder), role: 'audience' });
  later(async () => void (await agent.end(undefined, true)));
  const { token, listening } = agent;
  const who = 'The audience';
  const link = await openAgentLink({ address: () => listening.address, token, who, version: '0' });
  later(() => link.close());
  let latest: JobSample | undefined;
  let published: AgentPublication | undefined;
  link.onRecord((record) => {
    if (record.kind !== 'sample') return;
    latest = record.sample.jobs?.[0] ?? latest;
    published = record.sample.publications?.[0] ?? published;
  });
  const job = 'pull-1';
  return {
    job: () => latest,
    publication: () => published,
    viewers: async () => (await link.request('audience.viewers', { job, offset: 0, limit: 100 })).viewers,
    detail: () => link.request('audience.viewer', { job, viewer: 1 }),
    publish: (bearerToken, files) => {
      const [sample, ...simulcast] = files.map((file) => resolve('agent/internal/media/testdata', file));
      return link.request('audience.publish', {
        ...{
          job: 'publish-1',
          protocol: 'livekit',
          url: server.url,
          bearerToken,
          sample: sample ?? '',
          simulcast,
          dynacast: true,
        },
      });
    },
    enter: (tokens, { lossPercent, transport, tracks, adaptiveStream } = {}) =>
      link.request('audience.start', {
        ...{ job, protocol: 'livekit', url: server.url, viewers: 2, ratePerSecond: 100, holdMs: 0 },
        tokens: [...tokens],
        ...(transport ? { transport } : {}),
        ...(tracks ? { tracks } : {}),
        ...(adaptiveStream ? { adaptiveStream } : {}),
        ...(lossPercent === undefined ? {} : { network: lossy(lossPercent) }),
      }),
  };
}

function tokenFor(room: string, identity: string): string {
  const { apiKey, apiSecret } = server;
  return accessToken({ apiKey, apiSecret, video: { roomJoin: true, room }, identity, nowMs: Date.now() });
}

describe('viewers of a room', () => {
  it('receive VP8, with its size, and retransmissions of what a simulated network lost', async () => {
    const { apiKey, apiSecret } = server;
    const camera = startParticipant(server, {
      token: tokenFor('vp8', 'camera'),
      publish: { width: 320, height: 180 },
    });
    later(() => camera.leave());
    await camera.printed('publishing');
    const here = await audience();
    await here.enter(viewerTokens({ apiKey, apiSecret: () => apiSecret, wall: Date.now }, 'vp8')(2, 0), {
      lossPercent: 5,
    });
    expect(
      await until(() => (jobPercentile(here.job(), 'frameRate') ?? 0) > 20, 20_000),
      JSON.stringify(here.job()),
    ).toBe(true);
    expect((await here.detail()).streams?.[0]).toMatchObject({ codec: 'VP8', width: 320, height: 180 });
    const isRepaired = (): boolean => {
      const { lossPercent = 0, repair } = here.job() ?? {};
      return (repair?.retransmittedPacketsPerSecond ?? 0) > 0 && (repair?.lossBeforePercent ?? 0) > lossPercent;
    };
    expect(await until(isRepaired, 20_000), JSON.stringify(here.job())).toBe(true);
    const codecs = async (): Promise<readonly string[]> =>
      ((await here.detail()).streams ?? []).map(({ kind, codec }) => `${kind} ${codec}`);
    // Of the first viewer; until now it may have been the other one that lost packets.
    expect(await until(async () => (await codecs()).includes('repair rtx'), 20_000), (await codecs()).join()).toBe(
      true,
    );
  });

  const expectLayer = async (here: Audience, size: Size): Promise<void> => {
    const receives = (): boolean =>
      here.job()?.layers?.find(({ width }) => width === size.width)?.viewers === 2 &&
      (jobPercentile(here.job(), 'frameRate') ?? 0) > 20;
    expect(await until(receives, 20_000), JSON.stringify(here.job())).toBe(true);
    expect((await here.detail()).streams?.[0]).toMatchObject(size);
  };

  it('receive the layer of a simulcast video that fills their element, as LiveKit reports to its publisher', async () => {
    const { apiKey, apiSecret } = server;
    const camera = startParticipant(server, {
      token: tokenFor('layers', 'camera'),
      publish: { width: 640, height: 360, layers: 3 },
    });
    later(() => camera.leave());
    await camera.printed('publishing');
    const tokens = viewerTokens({ apiKey, apiSecret: () => apiSecret, wall: Date.now }, 'layers');
    const small = await audience();
    await small.enter(tokens(2, 0), { adaptiveStream: { width: 150, height: 84 } });
    await expectLayer(small, { width: 160, height: 90 });
    expect(await until(() => camera.receivedQualities().join() === 'LOW', 20_000)).toBe(true);
    const large = await audience();
    await large.enter(tokens(2, 0));
    await expectLayer(large, { width: 640, height: 360 });
    expect(await until(() => camera.receivedQualities().includes('HIGH'), 20_000)).toBe(true);
    await expectLayer(small, { width: 160, height: 90 });
  }, 60_000);

  it('receive each layer of a simulcast that an agent publishes from files of two sizes', async () => {
    const { apiKey, apiSecret } = server;
    const publisher = await audience();
    await publisher.publish(tokenFor('files', 'presenter'), ['vp8.ivf', 'vp8-small.ivf']);
    const sends = (from: number, to: number) => (): boolean => {
      const { bitrateKbps = 0 } = publisher.publication() ?? {};
      return bitrateKbps > from && bitrateKbps < to;
    };
    const tokens = viewerTokens({ apiKey, apiSecret: () => apiSecret, wall: Date.now }, 'files');
    const small = await audience();
    await small.enter(tokens(2, 0), { adaptiveStream: { width: 80, height: 44 } });
    await expectLayer(small, { width: 80, height: 44 });
    // With dynacast, the other one is not sent: 36 kbit/s instead of 108.
    expect(await until(sends(20, 60), 20_000), JSON.stringify(publisher.publication())).toBe(true);
    const large = await audience();
    await large.enter(tokens(2, 0));
    await expectLayer(large, { width: 160, height: 90 });
    expect(await until(sends(90, 200), 20_000), JSON.stringify(publisher.publication())).toBe(true);
    await expectLayer(small, { width: 80, height: 44 });
  }, 60_000);

  it('connect over TCP', async () => {
    const { apiKey, apiSecret } = server;
    const tokens = viewerTokens({ apiKey, apiSecret: () => apiSecret, wall: Date.now }, 'over-tcp');
    const video = { roomJoin: true, room: 'over-tcp' } as const;
    const token = accessToken({ apiKey, apiSecret, video, identity: 'camera', nowMs: Date.now() });
    const camera = startParticipant(server, { token, publish: { width: 320, height: 180 } });
    later(() => camera.leave());
    await camera.printed('publishing');
    const here = await audience();
    await here.enter(tokens(2, 0), { transport: 'tcp' });
    const isPlaying = (): boolean => here.job()?.overTcp === 2 && (jobPercentile(here.job(), 'frameRate') ?? 0) > 20;
    expect(await until(isPlaying, 20_000), JSON.stringify(here.job())).toBe(true);
    const { route, viewer } = await here.detail();
    expect(route).toMatchObject({ protocol: 'tcp', remoteType: 'host' });
    expect(route?.remote?.endsWith(`:${server.tcpPort}`), route?.remote).toBe(true);
    expect(viewer.roundTripMs).toBeGreaterThan(0);
  });

  it('receive audio only', async () => {
    const { apiKey, apiSecret } = server;
    const tokens = viewerTokens({ apiKey, apiSecret: () => apiSecret, wall: Date.now }, 'audio');
    const video = { roomJoin: true, room: 'audio' } as const;
    const token = accessToken({ apiKey, apiSecret, video, identity: 'camera', nowMs: Date.now() });
    const camera = startParticipant(server, { token, publish: { width: 320, height: 180 } });
    later(() => camera.leave());
    await camera.printed('publishing');
    const here = await audience();
    await here.enter(tokens(2, 0), { tracks: 'audio' });
    // Packets of 20 ms each.
    const isPlaying = (): boolean => here.job()?.connected === 2 && (here.job()?.packetsPerSecond ?? 0) > 80;
    expect(await until(isPlaying, 20_000), JSON.stringify(here.job())).toBe(true);
    expect(jobPercentile(here.job(), 'frameRate')).toBeUndefined();
    expect(here.job()?.degraded).toBe(0);
    const { streams, viewer } = await here.detail();
    expect(streams?.map(({ kind, codec }) => `${kind} ${codec}`)).toEqual(['audio opus']);
    expect(viewer.firstFrameMs).toBe(viewer.connectMs);
    expect(viewer).not.toHaveProperty('fps');
  });
});

describe('reasons why viewers cannot join a room', () => {
  const tokensWith = (apiSecret: string, room = 'cam'): readonly string[] =>
    viewerTokens({ apiKey: server.apiKey, apiSecret: () => apiSecret, wall: Date.now }, room)(2, 0);

  const failureOf = async (tokens: readonly string[]): Promise<AudienceViewer['failure']> => {
    const here = await audience();
    await here.enter(tokens);
    expect(await until(() => here.job()?.failed === 2, 40_000), JSON.stringify(here.job())).toBe(true);
    expect(JSON.stringify(here.job())).not.toContain(aToken);
    return (await here.viewers())[0]?.failure;
  };

  it('include a refused token, reported without the token', async () => {
    const failure = await failureOf(tokensWith('another-secret-of-32-characters-or-more'));
    expect(failure).toMatchObject({ stage: 'signalling', cause: 'http-401' });
    expect(failure?.detail).toMatch(/returned 401 Unauthorized .*\(removed\).*; the bearer token was refused\.$/);
    expect(failure?.detail).not.toContain(aToken);
  });

  it('include a room without a publisher', async () => {
    expect(await failureOf(tokensWith(server.apiSecret, 'empty'))).toMatchObject({
      stage: 'signalling',
      cause: 'no-publisher',
    });
  });

  it('include a wrong number of tokens', async () => {
    const here = await audience();
    await expect(here.enter(tokensWith(server.apiSecret).slice(1))).rejects.toMatchObject({
      code: 'bad-request',
      message: '2 viewers of a LiveKit room need one token each; tokens has 1.',
    });
  });
});
