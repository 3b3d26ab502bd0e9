import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { OriginSettings } from '../../domain/model/nodeSettings';
import { systemClock } from '../base/clock';
import { openHttpLink } from '../links/http/openHttpLink';
import type { HttpLink } from '../links/http/httpLink';
import type { PolledServer, ServerAccess } from './adapter';
import { livekitFamily } from './livekit';
import { openviduFamily } from './openvidu';
import { srsFamily } from './srs';
import { wcsFamily } from './wcs';

/** Responses by the start of their path; anything else is 404. */
let answers: Readonly<Record<string, unknown>> = {};
let server: Server;
let base: string;
let http: HttpLink;
let remarks: string[] = [];

beforeAll(async () => {
  server = createServer(({ url = '' }, response) => {
    const [, answer] = Object.entries(answers).find(([path]) => url.startsWith(path)) ?? [];
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(typeof answer === 'string' ? answer : JSON.stringify(answer ?? {}));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  http = openHttpLink({ who: 'edge', base });
});
afterAll(() => {
  http.close();
  server.close();
});
afterEach(() => {
  remarks = [];
});

function opened(open: (access: ServerAccess) => PolledServer, settings: Partial<OriginSettings>): PolledServer {
  return open({
    who: 'edge',
    settings: { server: 'generic', url: base, ...settings },
    secrets: () => ({ apiSecret: 'secret', httpPassword: 'secret' }),
    http,
    clock: { ...systemClock, now: () => 0, wall: () => 0 },
    remark: (sentence) => remarks.push(sentence),
  });
}

const stream = (id: unknown, over: object = {}): object => ({
  ...{ id, name: 'cam', vhost: 7, app: 'live', clients: 4, publish: { active: true, cid: 390 } },
  ...over,
});
const srs = (over: object = {}): void => {
  answers = {
    '/api/v1/versions': { code: 0, server: 9186, data: { major: 3, minor: 0, version: '3.0.168' } },
    '/api/v1/summaries': { code: 0, data: { self: { cpu_percent: 0.03, mem_kbyte: 20020 }, system: { conn_srs: 4 } } },
    '/api/v1/streams': { code: 0, streams: [stream(4861)] },
    '/api/v1/clients/390': { code: 0, client: { id: 390, type: 'fmle-publish', ip: '10.0.0.9', alive: 61 } },
    '/api/v1/vhosts': { code: 0, vhosts: [{ id: 7, name: '__defaultVhost__' }] },
    ...over,
  };
};
const openSrs = (): PolledServer => opened(srsFamily.open, { server: 'srs', metrics: `${base}/none` });

describe('SRS', () => {
  it('has whole numbers as ids in versions 2 and 3', async () => {
    srs();
    const { values, streams } = await openSrs().poll();
    expect(values).toMatchObject({ originViewers: 3, originStreams: 1, originConnections: 4, processCpuPercent: 3 });
    expect(streams).toMatchObject([{ stream: 'cam', source: 'RTMP · 10.0.0.9', viewers: 3 }]);
    expect(remarks).toEqual([]);
  });

  it('keeps its other streams when one is invalid, and reports that', async () => {
    srs({
      '/api/v1/streams': { code: 0, streams: [stream(1), stream(2, { name: null }), stream('vid-3', { video: 5 })] },
    });
    const { values, streams } = await openSrs().poll();
    expect(values.originStreams).toBe(2);
    expect(streams.length).toBe(2);
    expect(remarks).toHaveLength(1);
    expect(remarks[0]).toMatch(
      /^edge: parts of the response of streams\/ are invalid and left out \(streams\.\*\.name: .*/,
    );
  });

  it.each<[string, object, object]>([
    ['summaries', { '/api/v1/summaries': { code: 0, data: 7 } }, { originViewers: 3 }],
    ['summaries that are disabled', { '/api/v1/summaries': { code: 1061 } }, { originViewers: 3 }],
    ['streams', { '/api/v1/streams': { code: 0, streams: 'none' } }, { processCpuPercent: 3 }],
    ['vhosts', { '/api/v1/vhosts': { code: 0, vhosts: null } }, { originViewers: 3, processCpuPercent: 3 }],
    ['a publisher', { '/api/v1/clients/390': { code: 0, client: null } }, { originViewers: 3, processCpuPercent: 3 }],
    [
      'a part of the summaries',
      { '/api/v1/summaries': { code: 0, data: { self: null, system: { conn_srs: '4' } } } },
      { originConnections: 4, originViewers: 3 },
    ],
  ])('keeps the rest without %s', async (_, over, values) => {
    srs(over);
    expect((await openSrs().poll()).values).toMatchObject(values);
  });

  it('fails where no part of its API is usable', async () => {
    srs({ '/api/v1/summaries': { code: 1061 }, '/api/v1/streams': { code: 1061 } });
    await expect(openSrs().poll()).rejects.toThrow('this part of the API is disabled there');
  });
});

describe('LiveKit', () => {
  const rooms = '/twirp/livekit.RoomService/ListRooms';
  const people = '/twirp/livekit.RoomService/ListParticipants';
  const open = (): PolledServer => opened(livekitFamily.open, { server: 'livekit', apiKey: 'key' });

  it('keeps its other rooms when one is invalid, and counts that are strings', async () => {
    answers = {
      [rooms]: {
        rooms: [
          { name: 'a', num_participants: '3', num_publishers: '1' },
          { name: 4 },
          { name: 'c', creation_time: {} },
        ],
      },
      [people]: { participants: [] },
    };
    const { streams } = await open().poll();
    expect(streams.map((stream) => stream.stream)).toEqual(['a', 'c']);
    expect(remarks[0]).toContain('rooms.*.name');
  });

  it('keeps a room whose participants can not be read', async () => {
    answers = {
      [rooms]: { rooms: [{ name: 'a', num_participants: 3, num_publishers: 1 }] },
      [people]: { participants: 'x' },
    };
    const { streams } = await open().poll();
    expect(streams).toMatchObject([{ stream: 'a' }]);
    expect(remarks[0]).toContain('participants');
  });
});

it('OpenVidu keeps its other sessions when one is invalid', async () => {
  answers = {
    '/openvidu/api/sessions': {
      content: [
        {
          id: 'a',
          createdAt: 'today',
          connections: {
            content: [
              { id: 'c', subscribers: [{}] },
              { id: {}, status: 5 },
            ],
          },
        },
        'b',
        { id: 'c', connections: null },
      ],
    },
  };
  const { streams, values } = await opened(openviduFamily.open, { server: 'openvidu' }).poll();
  expect(streams.map((stream) => stream.stream)).toEqual(['a', 'c']);
  expect(values).toMatchObject({ originStreams: 2, originViewers: 1 });
  expect(remarks[0]).toContain('content.*');
});

it('WCS keeps its other streams when one is invalid', async () => {
  answers = {
    '/rest-api/stream/find': [{ name: 'a', published: true }, null, 'b', { name: 'c', published: true, width: {} }],
    '/rest-api/': [],
    '/?action=stat': { streams_stats: { streams_webrtc_out: 3, streams_webrtc_in: null }, core_stats: 'none' },
  };
  const wcs = opened(wcsFamily.open, { server: 'wcs' });
  const { streams, values } = await wcs.poll();
  expect(streams.map((stream) => stream.stream)).toEqual(['a', 'c']);
  expect(values.originViewers).toBe(3);
  wcs.close?.();
});
