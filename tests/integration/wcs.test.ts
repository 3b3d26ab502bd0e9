import { afterEach, describe, expect, it } from 'vitest';
import type { OriginSettings } from '../../src/domain/model/nodeSettings';
import { systemClock } from '../../src/engine/base/clock';
import { wcsFamily } from '../../src/engine/servers/wcs';
import { openWcs, type WcsServer } from '../../src/engine/servers/wcs/wcsServer';
import type { StandinWcs } from '../standins/wcs';
import { until } from '../support/until';
import { cleanUp, later, link, restOf, standin } from './wcsSupport';

afterEach(cleanUp);

function adapterOf(server: StandinWcs, over: Partial<OriginSettings> = {}, now = Date.now): WcsServer {
  const settings: OriginSettings = { server: 'wcs', url: server.url, ws: server.ws, ...over };
  const adapter = openWcs({
    who: 'wcs-1',
    settings,
    secrets: () => ({}),
    http: link(),
    clock: { ...systemClock, now },
  });
  later(() => adapter.close?.());
  return adapter;
}

const portOf = (server: StandinWcs): number => Number(new URL(server.url).port);

describe('detection of a WCS', () => {
  const target = (port: number) => ({
    host: '127.0.0.1',
    port,
    secrets: {},
    http: link('127.0.0.1'),
    clock: systemClock,
  });

  it('finds one at the typed port', async () => {
    const server = await standin({ version: '5.2.1999' });
    server.publish('cam');
    expect(await wcsFamily.look(target(portOf(server)))).toEqual({
      certainty: 1,
      software: 'WCS 5.2.1999',
      detail: `REST on ${portOf(server)}, one stream live, 0 viewers`,
      settings: { server: 'wcs', url: server.url },
    });
  });

  it('finds none in a web page, a truncated response, an unresponsive server or a closed port', async () => {
    const server = await standin();
    for (const answers of ['html', 'half-json', 'garbage', 'drop', 'never'] as const) {
      server.conditions.answers = answers;
      expect(await wcsFamily.look(target(portOf(server)))).toBeUndefined();
    }
    await server.close();
    expect(await wcsFamily.look(target(portOf(server)))).toBeUndefined();
  });
});

describe('a WCS as a server', () => {
  it('reports its streams with their figures and viewers', async () => {
    const [origin, tester] = [await standin(), await standin()];
    origin.publish('cam', { fps: 30, bFrames: 12 });
    const rest = restOf(tester);
    await rest.pull.pull({ uri: origin.ws, localStreamName: 'a', remoteStreamName: 'cam' });
    await rest.pull.pull({ uri: origin.ws, localStreamName: 'b', remoteStreamName: 'cam' });
    const adapter = adapterOf(origin);
    expect(await until(() => origin.node.playing().length === 2, 5000)).toBe(true);
    const { values, streams } = await adapter.poll();
    expect(streams).toEqual([
      {
        stream: 'cam',
        source: 'RTMP · 10.0.0.9',
        viewers: 2,
        videoCodec: 'H264',
        audioCodec: 'opus',
        width: 426,
        height: 240,
        fps: 30,
        bitrateKbps: 272,
        ageMs: expect.any(Number) as number,
        bFrames: 12,
      },
    ]);
    expect(values).toMatchObject({
      originViewers: 2,
      originStreams: 1,
      originConnections: 2,
      originDegraded: 0,
      'server:ports_media_free': 9996,
      'server:video_b_frames': 12,
      'server:video_nack': 0,
      'server:distributor_queue_max': 0,
    });
    expect(values.originOutMbps).toBeCloseTo(0.544, 5);
    expect(values).not.toHaveProperty('gcPauseMs');
    expect(values).not.toHaveProperty('cpuPercent');
  });

  it('lists many streams at 1 MB/s', async () => {
    const server = await standin();
    for (let number = 1; number <= 700; number += 1) server.publish(`cam-${number}`);
    let nowMs = 0;
    const adapter = adapterOf(server, {}, () => nowMs);
    const counts: number[] = [];
    for (; nowMs <= 2000; nowMs += 1000) {
      counts.push((await adapter.poll()).streams.length);
      server.publish(`late-${nowMs}`);
    }
    // 1,500 bytes each without descriptions: the next list is due after 1.05 s.
    expect(counts).toEqual([700, 700, 702]);
  });

  it('reads plain text if a version supports nothing else, and reports what that version lacks', async () => {
    const server = await standin({ isOld: true, version: '5.1.3344' });
    server.publish('cam');
    const adapter = adapterOf(server);
    const { values, streams } = await adapter.poll();
    expect(values.originStreams).toBe(1);
    expect(streams[0]).toMatchObject({ stream: 'cam' });
    expect(streams[0]?.fps).toBeUndefined();
    const { software, remarks } = await adapter.identify();
    expect(software).toBe('WCS 5.1.3344');
    expect(remarks?.[0]).toBe(
      'wcs-1 runs WCS 5.1.3344, which is too old for this console: it needs 5.2 or newer, and 5.2.923 for the figures of single streams.',
    );
  });

  it('accepts unknown statistics, and reports missing ones', async () => {
    const server = await standin({
      gcPauseMs: 2.5,
      unknownStatistics: { new_stats: { new_gauge: '7', 'odd name!': 1, words: 'of praise', none: null } },
      missingStatistics: ['degraded_streams_stats', 'streams_webrtc_out', 'connections'],
      missingFields: ['sessionId', 'videoCodec', 'createDate', 'VIDEO_FPS', 'mediaProvider'],
    });
    server.publish('cam');
    const { values, streams } = await adapterOf(server).poll();
    expect(streams).toMatchObject([{ stream: 'cam', source: 'unknown', width: 426 }]);
    expect(streams[0]?.fps).toBeUndefined();
    expect(values).toMatchObject({ gcPauseMs: 2.5, 'server:new_gauge': 7, 'server:odd_name_': 1 });
    for (const missing of ['originDegraded', 'originConnections', 'server:streams_webrtc_out', 'server:words'])
      expect(values).not.toHaveProperty([missing]);
  });

  it('reports an error in one sentence, and continues after recovery', async () => {
    const server = await standin();
    const adapter = adapterOf(server);
    const sentences: string[] = [];
    for (const answers of ['html', 'half-json', 'garbage', 'drop'] as const) {
      server.conditions.answers = answers;
      const error: unknown = await adapter.poll().then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toMatchObject({ name: 'FullhouseError' });
      const { message } = error as Error;
      expect(message).toMatch(/^wcs-1: .+\.$/);
      sentences.push(message);
    }
    expect(sentences[1]).toContain('incomplete or empty JSON');
    server.conditions.answers = 'normal';
    expect((await adapter.poll()).values.originStreams).toBe(0);
  });

  it('terminates a stream by its session, by its pull, and all of them, never with an empty body', async () => {
    const [origin, tester] = [await standin(), await standin()];
    origin.publish('cam');
    origin.publish('other');
    const rest = restOf(tester);
    await rest.pull.pull({ uri: origin.ws, localStreamName: 'copy', remoteStreamName: 'cam' });
    expect(await until(() => tester.node.published('copy') !== undefined, 5000)).toBe(true);
    await adapterOf(tester).terminate?.('copy');
    expect(tester.node.pulls.size).toBe(0);
    expect(await until(() => origin.node.playing().length === 0, 5000)).toBe(true);

    const adapter = adapterOf(origin);
    await adapter.terminate?.('cam');
    expect(origin.node.published('cam')).toBeUndefined();
    expect(origin.node.published('other')).toBeDefined();
    await expect(adapter.terminate?.('cam')).rejects.toMatchObject({ code: 'no-stream' });
    await adapter.rest.stream.terminate([]);
    await adapter.rest.stream.terminate(['']);
    // One request for each: this server does not know lists of ids, and would end everything.
    await adapter.rest.stream.terminate(['unknown', 'unknown too']);
    expect(origin.node.published('other')).toBeDefined();
    expect(await adapter.terminateAll()).toBe(1);
    expect(origin.node.streams.size).toBe(0);
  });

  it('has the addresses of its default ports, and those in its settings', async () => {
    const server = await standin();
    const usual = adapterOf(server, { url: 'https://wcs.example:8444', ws: undefined }).addresses('a b');
    expect(usual).toEqual({
      play: {
        wcs: 'wss://wcs.example:8443',
        rtmp: 'rtmp://wcs.example:1935/live/a%20b',
        hls: 'https://wcs.example:8445/a%20b/a%20b.m3u8',
        rtsp: 'rtsp://wcs.example:554/a%20b',
      },
      publish: { wcs: 'wss://wcs.example:8443', rtmp: 'rtmp://wcs.example:1935/live/a%20b' },
    });
    const named = adapterOf(server, { whep: 'http://wcs:8888/{stream}/whep' });
    expect(named.addresses('cam').play).toMatchObject({ whep: 'http://wcs:8888/cam/whep', wcs: server.ws });
    expect(named.capabilities.pull).toEqual(['wcs', 'rtmp', 'hls', 'rtsp', 'whep']);
  });
});

describe('the REST API', () => {
  it('ends a camera that the server plays', async () => {
    const server = await standin();
    server.node.rtsp.set('rtsp://camera/1', { uri: 'rtsp://camera/1', status: 'PLAYING' });
    const adapter = adapterOf(server);
    expect(await adapter.rest.rtsp.findAll()).toMatchObject([{ uri: 'rtsp://camera/1', status: 'PLAYING' }]);
    await adapter.terminate?.('rtsp://camera/1');
    expect(await adapter.rest.rtsp.findAll()).toEqual([]);
  });

  it('refuses a web page instead of an empty response', async () => {
    const server = await standin({ answers: 'html' });
    const terms = { uri: 'ws://127.0.0.1:1', localStreamName: 'a', remoteStreamName: 'b' };
    await expect(restOf(server).pull.pull(terms)).rejects.toMatchObject({ code: 'not-json' });
  });
});
