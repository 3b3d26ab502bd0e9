import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { NodeSecrets, OriginSettings } from '../../src/domain/model/nodeSettings';
import { systemClock } from '../../src/engine/base/clock';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import type { PolledServer, ProbeTarget, ServerFound } from '../../src/engine/servers/adapter';
import { livekitFamily } from '../../src/engine/servers/livekit';
import { accessToken } from '../../src/engine/servers/livekit/accessToken';
import {
  startLiveKit,
  startParticipant,
  type LiveKit,
  type LiveKitParticipant,
  type ParticipantOptions,
} from './servers/livekit';

let server: LiveKit;
beforeAll(async () => {
  server = await startLiveKit();
});
afterAll(() => server.stop());

const ends: Array<() => Promise<void> | void> = [];
const later = (end: () => Promise<void> | void): void => void ends.push(end);
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

interface Opened {
  readonly settings?: Partial<OriginSettings>;
  readonly secrets?: NodeSecrets;
  readonly wall?: () => number;
}

function open({
  settings = {},
  secrets = { apiSecret: server.apiSecret },
  wall = Date.now,
}: Opened = {}): PolledServer {
  const http = openHttpLink({ who: 'sfu' });
  later(() => http.close());
  return livekitFamily.open({
    who: 'sfu',
    settings: {
      server: 'livekit',
      url: server.url,
      apiKey: server.apiKey,
      metrics: server.metricsUrl,
      ...settings,
    },
    secrets: () => secrets,
    http,
    clock: { ...systemClock, wall },
  });
}

async function look(target: Partial<ProbeTarget>): Promise<ServerFound | undefined> {
  const http = openHttpLink({ who: '127.0.0.1' });
  later(() => http.close());
  return livekitFamily.look({ host: '127.0.0.1', secrets: {}, http, clock: systemClock, ...target });
}

function join(identity: string, room: string, publish?: ParticipantOptions['publish']): LiveKitParticipant {
  const { apiKey, apiSecret } = server;
  const video = { roomJoin: true, room } as const;
  const token = accessToken({ apiKey, apiSecret, video, identity, nowMs: Date.now() });
  const participant = startParticipant(server, { token, ...(publish ? { publish } : {}) });
  later(() => participant.leave());
  return participant;
}

describe('a probe of LiveKit', () => {
  it('detects it by its port and by its address, and names the required credentials', async () => {
    const { port } = new URL(server.url);
    const found = await look({ port: Number(port) });
    expect(found).toMatchObject({
      software: 'LiveKit',
      settings: { server: 'livekit', url: server.url },
      needs: ['apiKey', 'apiSecret'],
    });
    expect(found?.certainty).toBeGreaterThan(0.9);
    expect(found?.detail).toContain(`API on ${port}`);
    const typed = await look({ url: new URL(`ws://127.0.0.1:${port}/rtc`), secrets: { apiSecret: 'x' } });
    expect(typed).toMatchObject({ settings: { url: server.url }, needs: ['apiKey'] });
  });

  it('detects nothing at another server', async () => {
    expect(await look({ port: Number(new URL(server.metricsUrl).port) })).toBeUndefined();
  });
});

describe('a room with a publisher and two viewers', () => {
  it('is a stream with its viewers, tracks and traffic, and ends on request', async () => {
    const node = open();
    expect(await node.identify()).toEqual({ software: 'LiveKit', remarks: [], process: 'livekit-server' });
    expect(node.capabilities).toMatchObject({ pull: ['livekit'], serves: ['livekit'], terminate: true });
    expect((await node.poll()).streams).toEqual([]);

    const camera = join('camera', 'stage 1', { width: 640, height: 360 });
    await camera.printed('publishing');
    const viewers = [join('first', 'stage 1'), join('second', 'stage 1')];
    await Promise.all(viewers.map((viewer) => viewer.printed('media')));

    const { streams, values } = await node.poll();
    expect(streams).toEqual([
      {
        stream: 'stage 1',
        source: 'camera',
        viewers: 2,
        videoCodec: 'VP8',
        audioCodec: 'Opus',
        width: 640,
        height: 360,
        ageMs: expect.any(Number) as number,
      },
    ]);
    expect(values).toMatchObject({ originStreams: 1, originViewers: 2, originConnections: 3 });
    expect(values.processMemoryBytes).toBeGreaterThan(1e6);

    // The server counts each track's traffic in steps of 5 s. One publisher, two viewers: twice as much is sent.
    let last: typeof values = {};
    const isTwofold = (): boolean => {
      const ratio = (last.originOutMbps ?? 0) / (last.originInMbps ?? 0);
      return ratio > 1.6 && ratio < 2.4;
    };
    for (let tick = 0; tick < 25 && !isTwofold(); tick += 1) {
      await new Promise((resolve) => setTimeout(resolve, 1000));
      last = (await node.poll()).values;
    }
    expect(isTwofold()).toBe(true);
    expect(last.originOutMbps).toBeGreaterThan(0.05);
    expect(last.originPacketsPerSecond).toBeGreaterThan(20);
    expect(last['server:tracks_subscribed']).toBe(4);
    expect(last.processCpuPercent).toBeGreaterThan(0);

    await viewers[1]?.leave();
    // The room's own count may remain 2 for some seconds.
    let left = await node.poll();
    for (let more = 0; more < 20 && left.values.originViewers !== 1; more += 1) left = await node.poll();
    expect(left.values).toMatchObject({ originViewers: 1, originConnections: 2 });

    await node.terminate?.('stage 1');
    await Promise.all([camera.printed('leave ROOM_DELETED'), viewers[0]?.printed('leave ROOM_DELETED')]);
    expect((await node.poll()).streams).toEqual([]);
    await expect(node.terminate?.('stage 1')).rejects.toMatchObject({
      code: 'no-stream',
      message: 'sfu: room "stage 1" no longer exists.',
    });
  });
});

describe('garbage collections of the server', () => {
  it('are reported with their pause', async () => {
    const node = open();
    const pausesOf = async (): Promise<{ count: number; sumMs: number }> => {
      const text = await (await fetch(server.metricsUrl)).text();
      const figure = (name: string): number => Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(text)?.[1]);
      return {
        count: figure('go_gc_duration_seconds_count'),
        sumMs: figure('go_gc_duration_seconds_sum') * 1000,
      };
    };
    const before = await pausesOf();
    await node.poll();
    // Each response produces some garbage.
    let pauseMs: number | undefined;
    for (let asked = 0; asked < 2000 && pauseMs === undefined; asked += 1)
      pauseMs = (await node.poll()).values.gcPauseMs;
    const after = await pausesOf();
    expect(after.count).toBeGreaterThan(before.count);
    expect(pauseMs).toBeGreaterThan(0);
    expect(pauseMs).toBeLessThanOrEqual(after.sumMs - before.sumMs + 1e-6);
  });
});

describe('addresses', () => {
  it("are the signalling's, and WHIP's only with a known ingress", () => {
    const ws = server.url.replace('http', 'ws');
    expect(open().addresses('stage 1')).toEqual({
      play: { livekit: ws },
      publish: { livekit: ws },
      viewerTokens: expect.any(Function) as unknown,
      participantTokens: expect.any(Function) as unknown,
      publisherTokens: expect.any(Function) as unknown,
      roomPublisher: expect.any(Function) as unknown,
    });
    const node = open({ settings: { whip: 'https://ingress.example/w/{stream}' } });
    expect(node.addresses('stage 1').publish).toEqual({
      livekit: ws,
      whip: 'https://ingress.example/w/stage%201',
    });
    expect(node.capabilities.publish).toEqual(['whip', 'livekit']);
    expect(node.addresses('stage 1')).not.toHaveProperty('token');
  });

  it('are those of its own WHIP if it has one, with a token for the room', async () => {
    const whip = `${server.url}/whip/v1`;
    for (const settings of [{}, { whip }]) {
      const node = open({ settings });
      expect(node.capabilities.publish).toEqual(['livekit']);
      await node.identify();
      expect(node.capabilities.publish).toEqual(['whip', 'livekit']);
      const { publish, token } = node.addresses('stage 1');
      expect(publish.whip).toBe(whip);
      expect(await token?.('publish')).toMatch(/^eyJ/);
    }
    const keyless = open({ secrets: {} });
    await keyless.identify();
    expect(keyless.capabilities.publish).toEqual([]);
    expect(keyless.addresses('stage 1')).not.toHaveProperty('token');
    expect(keyless.addresses('stage 1')).not.toHaveProperty('viewerTokens');
    expect(keyless.capabilities.pull).toEqual([]);
  });
});

describe('without complete settings', () => {
  it('reads only the metrics without a key', async () => {
    const node = open({ secrets: {} });
    expect((await node.identify()).remarks).toEqual([
      "Without API key and secret, only its metrics are read: rooms can't be listed or closed.",
    ]);
    const { values, streams } = await node.poll();
    expect(streams).toEqual([]);
    expect(values).toMatchObject({ originConnections: 0, processOpenFiles: expect.any(Number) as number });
    expect(values).not.toHaveProperty('originViewers');
    await expect(node.terminate?.('x')).rejects.toMatchObject({ code: 'not-possible' });
    expect(node.capabilities.terminate).toBe(false);
  });

  it('reads only the rooms without metrics, and reports the missing figures', async () => {
    const node = open({ settings: { metrics: 'http://127.0.0.1:9/metrics' } });
    expect((await node.identify()).remarks).toEqual([
      "No traffic and no GC pauses: its metrics can't be read (nothing listens at http://127.0.0.1:9; check the port and that the server is running). Set prometheus.port in its configuration, or the metrics address of this node.",
    ]);
    const elsewhere = open({ settings: { metrics: `${server.url}/metrics` } });
    expect((await elsewhere.identify()).remarks?.[0]).toContain(`${server.url}/metrics returned HTTP 404`);
    expect((await node.poll()).values).toEqual({ originStreams: 0, originViewers: 0, originConnections: 0 });
  });

  it('reports what is missing without both', async () => {
    const node = open({ secrets: {}, settings: { metrics: 'http://127.0.0.1:9/metrics' } });
    for (const ask of [() => node.identify(), () => node.poll()])
      await expect(ask()).rejects.toMatchObject({
        code: 'needs-secret',
        message:
          "sfu: LiveKit needs its API key and secret to list rooms, and its metrics can't be read either: nothing listens at http://127.0.0.1:9; check the port and that the server is running. Edit the node to enter them, or set prometheus.port in its configuration.",
      });
  });
});

describe('a token refused by LiveKit', () => {
  it.each([
    ['wrong secret', { secrets: { apiSecret: 'another-secret-of-32-characters-or-more' } }, 'livekit-secret'],
    ['unknown key', { settings: { apiKey: 'APInobody' } }, 'livekit-key'],
    ['clock ahead', { wall: () => Date.now() + 1_800_000 }, 'clock-skew'],
    ['clock behind', { wall: () => Date.now() - 1_800_000 }, 'clock-skew'],
  ] as const)('%s', async (_, opened, code) => {
    const failure = open(opened).poll();
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(/^sfu: [^.]+\..*$/);
    await expect(failure).rejects.not.toThrow(/eyJ/);
  });

  it('reports which clock is ahead, and by how much', async () => {
    await expect(open({ wall: () => Date.now() + 1_800_000 }).poll()).rejects.toThrow(
      "its clock is 30 min behind this machine's. Synchronise both clocks by NTP.",
    );
    await expect(open({ wall: () => Date.now() - 1_800_000 }).poll()).rejects.toThrow(
      "its clock is 30 min ahead of this machine's",
    );
  });

  it('is valid although the clocks differ by some minutes', async () => {
    for (const byMs of [-500_000, 500_000])
      expect((await open({ wall: () => Date.now() + byMs }).poll()).values.originStreams).toBe(0);
  });
});
