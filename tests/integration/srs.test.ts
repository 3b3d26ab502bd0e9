import { afterEach, describe, expect, it } from 'vitest';
import type { OriginSettings } from '../../src/domain/model/nodeSettings';
import type { HttpLink } from '../../src/engine/links/http/httpLink';
import { systemClock } from '../../src/engine/base/clock';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import type { PolledServer } from '../../src/engine/servers/adapter';
import { deleteSession, postOffer } from '../../src/engine/servers/signalling';
import { srsFamily } from '../../src/engine/servers/srs';
import { srsApi } from '../../src/engine/servers/srs/srsApi';
import { startSrs, type SrsBehaviour, type SrsStandIn } from '../standins/srs';
import type { SrsLoad } from '../standins/srs/captured';

const ends: Array<() => Promise<void> | void> = [];
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

async function standIn(load: SrsLoad, clients?: number): Promise<SrsStandIn> {
  const srs = await startSrs({ load, clients });
  ends.push(() => srs.close());
  return srs;
}

function open(srs: SrsStandIn, over: Partial<OriginSettings> = {}, nowMs = { value: 1_000_000 }): PolledServer {
  const http = openHttpLink({ who: 'Edge', base: srs.url });
  ends.push(() => http.close());
  return srsFamily.open({
    who: 'Edge',
    settings: { server: 'srs', url: srs.url, ...over },
    secrets: () => ({}),
    http,
    clock: { ...systemClock, now: () => nowMs.value, wall: () => nowMs.value },
  });
}

describe('a poll', () => {
  it('under 200 WebRTC viewers', async () => {
    const { values, streams } = await open(await standIn('webrtc-200')).poll();
    // The publisher is one of the 201 clients, and the API's CPU is a fraction.
    expect(values).toMatchObject({
      originViewers: 200,
      originConnections: 201,
      originStreams: 1,
    });
    expect(values.processCpuPercent).toBeCloseTo(14, 6);
    expect(values.processMemoryBytes).toBe(145544 * 1024);
    // SRS reports 315 kbit/s for the stream, since it counts what its viewers send.
    expect(streams).toEqual([
      { stream: 'cam', source: 'WHIP · 10.77.0.1', viewers: 200, bitrateKbps: 152, ageMs: 258_870 },
    ]);
  });

  it('under 300 RTMP viewers, with the exporter', async () => {
    const srs = await standIn('rtmp-300');
    const { values, streams } = await open(srs, { metrics: srs.metrics }).poll();
    expect(values).toMatchObject({
      originViewers: 300,
      originConnections: 301,
      processCpuPercent: 3.996,
      processMemoryBytes: 216584 * 1024,
      'server:srs_clients_errs_total': 1,
    });
    expect(streams).toMatchObject([
      {
        stream: 'cam',
        source: 'RTMP · 10.77.0.1',
        videoCodec: 'H264',
        audioCodec: 'AAC',
        width: 426,
        height: 240,
      },
    ]);
  });

  it.each(['idle', 'after'] as const)('without clients (%s)', async (load) => {
    const { values, streams } = await open(await standIn(load)).poll();
    expect(values).toMatchObject({ originViewers: 0, originStreams: 0, originConnections: 0 });
    expect(streams).toEqual([]);
  });

  it('measures traffic from one change of the server’s counters to the next', async () => {
    const srs = await standIn('webrtc-200');
    const server = open(srs);
    const out = async (): Promise<number | undefined> => (await server.poll()).values.originOutMbps;
    expect(await out()).toBeUndefined();
    srs.passes(1000);
    expect(await out()).toBeUndefined();
    srs.passes(2000);
    expect(await out()).toBeUndefined();
    srs.passes(3000);
    expect(await out()).toBeCloseTo(30, 6);
    srs.passes(1000);
    expect(await out()).toBeCloseTo(30, 6);
  });

  it('reports the frame rate of RTMP after half a minute, and never that of WebRTC', async () => {
    for (const [load, fps] of [
      ['rtmp-300', 25],
      ['webrtc-200', undefined],
    ] as const) {
      const srs = await standIn(load);
      const server = open(srs);
      const rates: Array<number | undefined> = [];
      for (let second = 0; second <= 40; second += 1) {
        rates.push((await server.poll()).streams[0]?.fps);
        srs.passes(1000);
      }
      expect(rates[20]).toBeUndefined();
      expect(rates[40]).toBe(fps);
    }
  });

  it('queries the publisher rarely, and never all clients', async () => {
    const srs = await standIn('webrtc-200');
    const nowMs = { value: 1_000_000 };
    const server = open(srs, {}, nowMs);
    for (let tick = 0; tick < 6; tick += 1) {
      await server.poll();
      nowMs.value += 1000;
    }
    expect(srs.asked.filter((each) => each.includes('/clients/'))).toEqual([
      'GET /api/v1/clients/3rz87rhj',
      'GET /api/v1/clients/3rz87rhj',
    ]);
    expect(srs.asked.every((each) => each.startsWith('GET ') || each.startsWith('HEAD '))).toBe(true);
  });
});

it('lists clients page by page, although SRS raises every page size below ten to ten', async () => {
  const srs = await standIn('rtmp-300', 2300);
  const http = openHttpLink({ who: 'Edge', base: srs.url });
  ends.push(() => http.close());
  expect(await srsApi(http, 'Edge', srs.url).clients()).toHaveLength(2300);
  expect(srs.asked).toHaveLength(3);
  const some = await http.request({ url: '/api/v1/clients/?count=5' });
  expect((JSON.parse(some.body) as { clients: unknown[] }).clients).toHaveLength(10);
});

describe('terminate', () => {
  it('disconnects the publisher', async () => {
    const srs = await standIn('rtmp-300');
    const server = open(srs);
    await server.terminate?.('cam');
    expect(srs.asked).toContain('DELETE /api/v1/clients/y7121i11');
    expect((await server.poll()).streams).toEqual([]);
  });

  it('finds the publisher among the clients if the stream does not report it', async () => {
    const srs = await startSrs({ load: 'rtmp-300', clients: 1500, hidesPublishers: true });
    ends.push(() => srs.close());
    const server = open(srs);
    expect((await server.poll()).streams).toMatchObject([{ stream: 'cam', source: 'RTMP', viewers: 300 }]);
    await server.terminate?.('cam');
    expect(srs.asked).toContain('DELETE /api/v1/clients/y7121i11');
  });

  it('reports a stream without a publisher', async () => {
    await expect(open(await standIn('idle')).terminate?.('cam')).rejects.toMatchObject({
      code: 'no-such-stream',
      message: 'Edge: cam has no publisher.',
    });
  });

  it('explains SRS’s own error, which is a code in a 200 response', async () => {
    const srs = await standIn('idle');
    const http = openHttpLink({ who: 'Edge', base: srs.url });
    ends.push(() => http.close());
    await expect(srsApi(http, 'Edge', srs.url).kick('00000000')).rejects.toMatchObject({
      code: 'srs-2049',
      message: 'Edge: SRS failed clients/00000000 with error 2049: no such client.',
    });
  });
});

it('is reported as too old if the API lists its paths instead of a response', async () => {
  const srs = await standIn('idle');
  const http = openHttpLink({ who: 'Edge', base: srs.url });
  ends.push(() => http.close());
  const body = (await http.request({ url: '/api/v1/nosuch' })).body;
  const old: HttpLink = { ...http, json: (_, schema) => Promise.resolve(schema.parse(JSON.parse(body))) };
  await expect(srsApi(old, 'Edge', srs.url).summaries()).rejects.toMatchObject({
    code: 'too-old',
    message: 'Edge: this SRS has no summaries in its API; it may be too old.',
  });
});

describe('an SRS that is broken', () => {
  it.each<[SrsBehaviour, string, RegExp]>([
    ['html', 'not-json', /^Edge: .* returned an HTML page instead of JSON/],
    ['half', 'not-json', /^Edge: .* returned invalid or incomplete JSON/],
    ['garbage', 'too-long', /^Edge: .* returned more than 8,000,000 bytes/],
  ])('%s', async (behaviour, code, message) => {
    const srs = await standIn('webrtc-200');
    const server = open(srs);
    await server.poll();
    srs.behaviour = behaviour;
    await expect(server.poll()).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    srs.behaviour = 'well';
    expect((await server.poll()).values.originViewers).toBe(200);
  });

  it('never responds', async () => {
    const srs = await standIn('webrtc-200');
    srs.behaviour = 'never';
    const http = openHttpLink({ who: 'Edge', base: srs.url });
    ends.push(() => http.close());
    await expect(http.request({ url: '/api/v1/summaries', timeoutMs: 200 })).rejects.toMatchObject({
      code: 'timeout',
    });
    const asked = open(srs).poll();
    setTimeout(() => void srs.close(), 100);
    await expect(asked).rejects.toMatchObject({ code: 'closed' });
  });
});

describe('identify', () => {
  it('reports version, pid and process', async () => {
    const identity = await open(await standIn('idle'), { flv: 'http://cdn/{app}/{stream}.flv' }).identify();
    expect(identity).toEqual({ software: 'SRS 7.0.18', pid: 20612, process: 'srs', remarks: [] });
  });

  it('reports a missing exporter', async () => {
    const srs = await standIn('idle');
    const { remarks } = await open(srs, {
      metrics: `${srs.url}/metrics?token=secret`,
      flv: 'http://cdn/x',
    }).identify();
    expect(remarks).toEqual([`Edge: no SRS exporter responds at ${srs.url}/metrics; only its API is read.`]);
  });
});

describe('look', () => {
  it('detects it at a typed address and counts live streams', async () => {
    const srs = await standIn('webrtc-200');
    const http = openHttpLink({ who: srs.url });
    ends.push(() => http.close());
    const port = Number(new URL(srs.url).port);
    const found = await srsFamily.look({ host: '127.0.0.1', port, secrets: {}, http, clock: systemClock });
    expect(found).toEqual({
      certainty: 1,
      software: 'SRS 7.0.18',
      detail: `API on ${port}, one stream live`,
      settings: { server: 'srs', url: srs.url },
    });
  });

  it.each<SrsBehaviour>(['html', 'half', 'garbage'])('does not mistake %s for it', async (behaviour) => {
    const srs = await standIn('idle');
    srs.behaviour = behaviour;
    const http = openHttpLink({ who: srs.url });
    ends.push(() => http.close());
    const port = Number(new URL(srs.url).port);
    expect(await srsFamily.look({ host: '127.0.0.1', port, secrets: {}, http, clock: systemClock })).toBeUndefined();
  });
});

describe('WHEP of SRS', () => {
  const offer = 'v=0\r\no=- 1 1 IN IP4 0.0.0.0\r\n';

  it('accepts an unpublished stream, with a session at a relative address on /whip/', async () => {
    const srs = await standIn('idle');
    const { play } = open(srs).addresses('nosuch');
    const session = await postOffer(play.whep ?? '', offer);
    expect(session.answerSdp).toContain('o=SRS/7.0.18(Hang)');
    expect(session.resourceUrl).toBe(
      `${srs.url}/rtc/v1/whip/?action=delete&token=k8zbhh6c0&app=live&stream=nosuch&session=is07552y:2hpx`,
    );
    await deleteSession(session.resourceUrl);
    await deleteSession(`${srs.url}/rtc/v1/whip/?action=delete&session=aaaaaaaa:bbbb`);
  });

  it('closes the connection on an invalid offer', async () => {
    const srs = await standIn('idle');
    await expect(postOffer(`${srs.url}/rtc/v1/whep/?app=live&stream=cam`, 'not SDP')).rejects.toMatchObject({
      code: 'no-answer',
      message: expect.stringContaining('socket hang up') as string,
    });
  });
});
