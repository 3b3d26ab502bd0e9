import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import type { AgentEvent, AgentPublication } from '../../src/contract/agentSample';
import { type AgentLink } from '../../src/engine/links/agentLink';
import { openAgentLink } from '../../src/engine/links/webSocketLink';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import { localAgentBinary, startLocalAgent } from '../../src/engine/links/localAgent';
import { accessToken } from '../../src/engine/servers/livekit/accessToken';
import { roomService } from '../../src/engine/servers/livekit/roomService';
import { isLive, waitForNode } from './fleetSupport';
import { startLiveKit, startParticipant, type LiveKit, type LiveKitParticipant } from './servers/livekit';
import { until } from '../support/until';
import { agentFolder, cleanUp, engineInTemporaryFolder, later, samplesFolder, type TestEngine } from './support';

let server: LiveKit;
beforeAll(async () => {
  server = await startLiveKit();
});
afterAll(() => server.stop());
afterEach(cleanUp);

/** Prefix of each LiveKit token. */
const aToken = 'eyJ';

interface LiveKitEngine {
  readonly engine: TestEngine;
  /** All messages of the engine so far, as text. */
  readonly received: () => string;
  /** Maximum of a series of the node so far. */
  readonly most: (series: string) => number;
}

/** An engine with the server as its node `sfu`. */
async function engineAt({ apiSecret = server.apiSecret, url = server.url } = {}): Promise<LiveKitEngine> {
  const engine = engineInTemporaryFolder();
  const received: string[] = [];
  const highest = new Map<string, number>();
  for (const name of ['nodes', 'jobs', 'run', 'event'] as const)
    engine.client.on(name, (what: unknown) => received.push(JSON.stringify(what)));
  engine.client.on('samples', ({ keys, key, value }) => {
    for (const [index, at] of key.entries()) {
      const { node, series } = keys[at] ?? {};
      if (node === 'sfu' && series) highest.set(series, Math.max(highest.get(series) ?? 0, value[index] ?? 0));
    }
  });
  await engine.client.call('nodes.add', {
    name: 'sfu',
    settings: { server: 'livekit', url, apiKey: server.apiKey, metrics: server.metricsUrl },
    secrets: { apiSecret },
  });
  return {
    engine,
    received: () => [...received, ...engine.sentences].join('\n'),
    most: (series) => highest.get(series) ?? 0,
  };
}

/** A subscribing participant. */
function watch(room: string): LiveKitParticipant {
  const { apiKey, apiSecret } = server;
  const video = { roomJoin: true, room } as const;
  const token = accessToken({ apiKey, apiSecret, video, identity: 'watcher', nowMs: Date.now() });
  const participant = startParticipant(server, { token });
  later(() => participant.leave());
  return participant;
}

interface Studio {
  readonly link: AgentLink;
  readonly events: AgentEvent[];
  readonly publication: () => AgentPublication | undefined;
}

async function studio(): Promise<Studio> {
  const agent = await startLocalAgent({
    binary: localAgentBinary(agentFolder),
    role: 'audience',
    args: ['--samples', samplesFolder],
  });
  later(async () => void (await agent.end(undefined, true)));
  const { token, listening } = agent;
  const who = 'The audience';
  const link = await openAgentLink({ address: () => listening.address, token, who, version: '0' });
  later(() => link.close());
  const events: AgentEvent[] = [];
  let last: AgentPublication | undefined;
  link.onRecord((record) => {
    if (record.kind === 'event') events.push(record.event);
    else last = record.sample.publications?.[0] ?? last;
  });
  return { link, events, publication: () => last };
}

it('the local agent publishes the sample into a room, and a participant receives it', async () => {
  const { engine, received, most } = await engineAt();
  const before = await waitForNode(engine, 'sfu', isLive);
  expect(before.can?.publish).toEqual(['whip', 'livekit']);
  const { job } = await engine.client.call('publish.start', {
    node: 'sfu',
    stream: 'cam',
    source: 'sample-240p',
    by: 'local',
  });
  const published = await waitForNode(engine, 'sfu', ({ streams: [room] }) =>
    Boolean(room?.audioCodec && room.videoCodec),
  );
  expect(published.streams).toEqual([
    expect.objectContaining({
      stream: 'cam',
      source: expect.stringMatching(/^fullhouse-[0-9a-f]{8}$/) as string,
      viewers: 0,
      videoCodec: 'H.264',
      audioCodec: 'Opus',
    }),
  ]);
  // LiveKit 1.11 reports the size when it changes, and counts the first one as a change only if it is ready by then.
  const [{ width, height } = {}] = published.streams;
  expect([undefined, '426x240']).toContain(width === undefined ? undefined : `${width}x${height}`);

  expect(
    await until(() => /"id":"publish-1","kind":"publish",[^}]*"state":"holding","fps":2\d/.test(received()), 20_000),
  ).toBe(true);

  const watcher = watch('cam');
  await watcher.printed('media');
  const watched = await waitForNode(engine, 'sfu', ({ streams }) => streams[0]?.viewers === 1);
  expect(watched.streams).toHaveLength(1);
  expect(await until(() => most('originInMbps') > 0.05 && most('originOutMbps') > 0.05, 20_000)).toBe(true);

  await engine.client.call('publish.stop', { job });
  const after = await waitForNode(engine, 'sfu', ({ streams }) => streams[0]?.source === 'no publisher');
  expect(after.streams[0]).toMatchObject({ stream: 'cam', viewers: 1 });
  await watcher.leave();
  await waitForNode(engine, 'sfu', ({ streams }) => streams.length === 0);
  expect(received()).not.toContain(aToken);
});

it("the window's own stream is published into a room, and ended with a new token", async () => {
  const { engine, received } = await engineAt();
  await waitForNode(engine, 'sfu', isLive);
  const sessions: string[] = [];
  // An agent supplies the window's media; its offer is sent like the window's.
  const signalling = createServer((request, response) => {
    let offerSdp = '';
    request.on('data', (chunk) => (offerSdp += String(chunk)));
    request.on('end', () => {
      if (request.method !== 'POST') return response.writeHead(200).end();
      const offer = { node: 'sfu', stream: 'desk', source: 'camera', offerSdp } as const;
      engine.client.call('signal.whip', offer).then(
        ({ session, answerSdp }) => {
          sessions.push(session);
          response.writeHead(201, { 'Content-Type': 'application/sdp', Location: '/here' }).end(answerSdp);
        },
        (error: unknown) => response.writeHead(502).end((error as Error).message),
      );
    });
  });
  await new Promise<void>((resolve) => signalling.listen(0, '127.0.0.1', resolve));
  later(() => new Promise<void>((resolve) => signalling.close(() => resolve())));
  const { port } = signalling.address() as AddressInfo;
  const { link } = await studio();
  await link.request('audience.publish', {
    job: 'window',
    protocol: 'whip',
    url: `http://127.0.0.1:${port}/`,
    sample: 'sample-240p',
  });
  await waitForNode(engine, 'sfu', ({ streams }) =>
    streams.some(({ stream, videoCodec }) => stream === 'desk' && videoCodec === 'H.264'),
  );

  const http = openHttpLink({ who: 'sfu' });
  later(() => http.close());
  const { url: base, apiKey, apiSecret } = server;
  const rooms = roomService({ who: 'sfu', http, base, apiKey, apiSecret: () => apiSecret, wall: Date.now });
  expect(await rooms.listParticipants('desk')).toHaveLength(1);
  await engine.client.call('signal.end', { session: sessions[0] ?? '' });
  // At once: the session was closed explicitly, without a timeout.
  expect(await rooms.listParticipants('desk')).toEqual([]);
  expect(received()).not.toContain(aToken);
});

it('a new, wrong secret is one sentence, also for publications', async () => {
  const { engine, received } = await engineAt({ apiSecret: 'another-secret-of-32-characters-or-more' });
  const sentence = 'sfu: the API secret does not match the key "APItest"; enter the secret again.';
  expect((await waitForNode(engine, 'sfu', ({ state }) => state === 'failed')).problem).toBe(sentence);
  const order = { node: 'sfu', stream: 'cam', source: 'sample-240p', by: 'local' } as const;
  await expect(engine.client.call('publish.start', order)).rejects.toMatchObject({ message: sentence });
  expect(received()).not.toContain(aToken);
});

it("LiveKit's error about a refused token is reported without the token", async () => {
  const { link, events, publication } = await studio();
  const bearerToken = accessToken({
    apiKey: server.apiKey,
    apiSecret: 'another-secret-of-32-characters-or-more',
    video: { roomJoin: true, room: 'cam' },
    identity: 'x',
    nowMs: Date.now(),
  });
  const url = `${server.url}/whip/v1`;
  const order = { job: 'publish-1', protocol: 'whip', url, sample: 'sample-240p', bearerToken } as const;
  await link.request('audience.publish', order);
  expect(await until(() => publication()?.state === 'failed' && events.length > 0, 20_000)).toBe(true);
  expect(publication()?.problem).toMatch(/check the token: .* 401 Unauthorized .*invalid token: \(removed\)/);
  expect(events).toMatchObject([{ name: 'job-ended' }]);
  expect(JSON.stringify([events, publication()])).not.toContain(aToken);
});
