import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { createServer as createPort, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { WebSocketServer } from 'ws';
import { labGreeting } from '../../src/contract/labProtocol';
import type { OriginSettings } from '../../src/domain/model/nodeSettings';
import { systemClock } from '../../src/engine/base/clock';
import { openHttpLink } from '../../src/engine/links/http/openHttpLink';
import type { PolledServer, ServerFound } from '../../src/engine/servers/adapter';
import { genericFamily } from '../../src/engine/servers/generic';
import { waitForNode } from './fleetSupport';
import { startSrs } from '../standins/srs';
import { certificateMaker } from './servers/certificates';
import { freePort } from './servers/freePort';
import { startLab } from './servers/lab';
import { startNginxRtmp } from './servers/nginxRtmp';
import { startPrometheus } from './servers/prometheus';
import { cleanUp, engineInTemporaryFolder, exists, later, temporaryFolder } from './support';
import { sleep, until } from '../support/until';

afterEach(cleanUp);

async function serving(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  later(() => {
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Sends one message on each WebSocket, or none. */
async function servingWebSocket(message: (path: string) => string | undefined): Promise<string> {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' });
  server.on('connection', (socket, { url = '' }) => {
    const sent = message(url);
    if (sent !== undefined) socket.send(Buffer.from(sent, 'latin1'));
  });
  await new Promise((resolve) => server.once('listening', resolve));
  later(() => {
    for (const socket of server.clients) socket.terminate();
    server.close();
  });
  return `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A port that accepts connections and never responds, as media servers do on requests they do not know. */
async function silentPort(): Promise<{ host: string; received: () => string; end: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  let received = '';
  const server = createPort((socket) => {
    sockets.add(socket.on('error', () => undefined).on('data', (data) => (received += data.toString('latin1'))));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const end = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  later(end);
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, received: () => received, end };
}

function open(settings: Omit<OriginSettings, 'server'>, remark?: (sentence: string) => void): PolledServer {
  const http = openHttpLink({ who: 'Edge' });
  later(() => http.close());
  return genericFamily.open({
    who: 'Edge',
    settings: { server: 'generic', ...settings },
    secrets: () => ({}),
    http,
    clock: systemClock,
    ...(remark ? { remark } : {}),
  });
}

function look(typed: string, acceptSelfSigned = false): Promise<ServerFound | undefined> {
  const http = openHttpLink({ who: typed });
  later(() => http.close());
  const url = typed.includes('://') ? new URL(typed) : undefined;
  const { hostname, port } = url ?? new URL(`http://${typed}`);
  return genericFamily.look({
    host: hostname,
    port: port ? Number(port) : undefined,
    url,
    secrets: {},
    http,
    acceptSelfSigned,
    clock: systemClock,
  });
}

describe('the real lab', () => {
  it('is detected by its port, by its address and by a stream address', async () => {
    const { base, link } = await startLab();
    await link.request('lab.publish-sample', { stream: 'cam', sample: 'sample-240p' });
    for (const typed of [base, new URL(base).host, `${base}/whep/cam`]) {
      expect(await look(typed)).toEqual({
        certainty: 0.5,
        software: 'Fullhouse lab',
        detail: 'WHIP and WHEP, one stream live',
        settings: { server: 'generic', whep: `${base}/whep/{stream}`, whip: `${base}/whip/{stream}` },
      });
    }
  });

  it('lists its streams each tick, without opening sessions', async () => {
    const { base, link } = await startLab();
    const events: string[] = [];
    link.onRecord((record) => {
      if (record.kind === 'event') events.push(record.event.message);
    });
    const server = open({ whep: `${base}/whep/{stream}`, whip: `${base}/whip/{stream}` });
    expect(await server.poll()).toEqual({ values: { originViewers: 0, originStreams: 0 }, streams: [] });
    await link.request('lab.publish-sample', { stream: 'cam', sample: 'sample-240p' });
    const { values, streams } = await server.poll();
    expect(values).toEqual({ originViewers: 0, originStreams: 1 });
    expect(streams).toMatchObject([{ stream: 'cam', source: 'sample-240p', viewers: 0, width: 426, height: 240 }]);
    await look(`${base}/whep/cam`);
    for (let tick = 0; tick < 5; tick += 1) await server.poll();
    expect((await server.poll()).values.originViewers).toBe(0);
    expect(events.filter((event) => /session|viewer|WHIP/i.test(event))).toEqual([]);
    expect(server.capabilities).toMatchObject({
      publish: ['whip'],
      pull: ['whep'],
      play: ['whep'],
      terminate: false,
    });
    expect(server.addresses('cam')).toEqual({
      play: { whep: `${base}/whep/cam` },
      publish: { whip: `${base}/whip/cam` },
    });
    expect(await server.identify()).toEqual({ software: 'Fullhouse lab', remarks: [] });
  });

  it('is reported when it stops', async () => {
    const { base, link } = await startLab();
    const server = open({ whep: `${base}/whep/{stream}` });
    await server.poll();
    await link.request('shutdown', {});
    await until(() => link.state !== 'live', 10_000);
    await expect(server.poll()).rejects.toMatchObject({
      code: expect.stringMatching(/refused|closed/) as string,
    });
  });
});

describe('what is requested of a server', () => {
  const nothing = { values: {}, streams: [] };

  it.each(['http://HOST/live/{stream}.flv', 'https://HOST/live/{stream}.flv', 'ws://HOST/live/{stream}.flv'])(
    'is nothing but a connection, for %s',
    async (address) => {
      const { host, received } = await silentPort();
      const startMs = Date.now();
      const server = open({ flv: address.replace('HOST', host) });
      expect(await server.identify()).toEqual({ software: 'FLV', remarks: [] });
      for (let tick = 0; tick < 3; tick += 1) expect(await server.poll()).toEqual(nothing);
      expect(Date.now() - startMs).toBeLessThan(2000);
      expect(received()).toBe('');
    },
  );

  it('is the page of a lab at most once, whose silence decides nothing', async () => {
    const { host, received } = await silentPort();
    const server = open({ whep: `http://${host}/whep/{stream}`, whip: `http://${host}/whip/{stream}` });
    expect((await Promise.all([server.identify(), server.poll()]))[1]).toEqual(nothing);
    for (let tick = 0; tick < 3; tick += 1) expect(await server.poll()).toEqual(nothing);
    expect(received().match(/^[A-Z]+ .*$/gm)).toEqual(['GET / HTTP/1.1']);
    expect(server.capabilities.measure).toEqual([]);
  });

  it('is the page of a lab that starts later, until it stops', async () => {
    const port = await freePort();
    const server = open({ whep: `http://127.0.0.1:${port}/whep/{stream}` });
    await expect(server.poll()).rejects.toMatchObject({ code: 'refused' });
    let isSilent = false;
    const lab = createServer((_, response) => void (isSilent || response.end(`${labGreeting}\n`)));
    await new Promise<void>((resolve) => lab.listen(port, '127.0.0.1', resolve));
    later(() => lab.closeAllConnections());
    expect((await server.poll()).values).toEqual({ originViewers: 0, originStreams: 0 });
    // Its port still accepts connections, but its streams are unknown.
    isSilent = true;
    await expect(server.poll()).rejects.toMatchObject({ code: 'timeout' });
    expect(server.capabilities.measure).toEqual(['streams', 'viewers']);
    lab.closeAllConnections();
    await new Promise((resolve) => lab.close(resolve));
    await expect(server.poll()).rejects.toMatchObject({ code: 'refused' });
    expect(server.capabilities.measure).toEqual([]);
  });

  it('is each port: one that responds is enough, and the others are remarks', async () => {
    const { host } = await silentPort();
    const gone = `127.0.0.1:${await freePort()}`;
    for (const settings of [
      {
        hls: `http://${gone}/{stream}.m3u8`,
        dash: `http://${gone}/{stream}.mpd`,
        rtmp: `rtmp://${host}/live/{stream}`,
      },
      { hls: `http://${gone}/{stream}.m3u8`, dash: `http://${gone}/{stream}.mpd`, flv: `http://${host}/{stream}.flv` },
    ]) {
      const server = open(settings);
      expect(await server.poll()).toEqual(nothing);
      expect((await server.identify()).remarks).toEqual([
        `Edge: no response for HLS and MPEG-DASH: nothing listens at http://${gone}; check the port and that the server is running.`,
      ]);
    }
    const mixed = open({ hls: `http://${host}/{stream}.m3u8`, rtmp: `rtmp://${gone}/live/{stream}` });
    expect(await mixed.poll()).toEqual(nothing);
    expect((await mixed.identify()).remarks).toEqual([
      `Edge: no response for RTMP: nothing accepts RTMP at ${gone}; check the port and that the server is running.`,
    ]);
  });

  it('is reported as unreachable when no port responds, and each that stops later is a remark', async () => {
    const [one, other] = [await silentPort(), await silentPort()];
    const remarks: string[] = [];
    const server = open(
      { hls: `http://${one.host}/{stream}.m3u8`, flv: `ws://${other.host}/{stream}.flv` },
      (sentence) => void remarks.push(sentence),
    );
    expect((await server.identify()).remarks).toEqual([]);
    await one.end();
    for (let tick = 0; tick < 2; tick += 1) expect(await server.poll()).toEqual(nothing);
    expect(remarks).toEqual([
      `Edge: no response for HLS: nothing listens at http://${one.host}; check the port and that the server is running.`,
    ]);
    await other.end();
    for (const ask of [server.poll, server.identify])
      await expect(ask()).rejects.toMatchObject({
        code: 'refused',
        message: `Edge: nothing listens at http://${one.host}; check the port and that the server is running.`,
      });
  });

  it('is shown for a node with a WebSocket address alone', async () => {
    const { host } = await silentPort();
    const engine = engineInTemporaryFolder();
    await engine.client.call('nodes.add', {
      name: 'edge',
      settings: { server: 'generic', flv: `ws://${host}/live/{stream}.flv` },
      secrets: {},
    });
    const node = await waitForNode(engine, 'edge', ({ state }) => state === 'live');
    expect(node.can).toMatchObject({ pull: ['ws-flv'], play: ['ws-flv'] });
  });
});

describe('a typed address', () => {
  it('of RTMP and of HLS, at a real nginx', async () => {
    const nginx = await startNginxRtmp(temporaryFolder());
    later(() => nginx.end());
    nginx.publish('live/cam');
    expect(await look(nginx.rtmp.replace('{stream}', 'cam'))).toEqual({
      certainty: 0.3,
      software: 'RTMP',
      detail: 'app live, stream cam',
      settings: { server: 'generic', rtmp: nginx.rtmp },
      stream: 'cam',
    });
    expect(await look(`127.0.0.1:${nginx.rtmpPort}`)).toMatchObject({
      certainty: 0.2,
      settings: { rtmp: nginx.rtmp },
    });
    const playlist = nginx.hls.replace('{stream}', 'cam');
    let found: ServerFound | undefined;
    for (const endMs = Date.now() + 20_000; !found && Date.now() < endMs;) found = await look(playlist);
    expect(found).toEqual({
      certainty: 0.4,
      software: 'HLS',
      detail: 'stream cam',
      settings: { server: 'generic', hls: nginx.hls },
      stream: 'cam',
    });
    const server = open({ rtmp: nginx.rtmp });
    expect(await server.poll()).toEqual({ values: {}, streams: [] });
    expect(server.capabilities).toMatchObject({
      publish: ['rtmp'],
      pull: ['rtmp'],
      play: ['rtmp'],
      serves: ['rtmp'],
    });
  });

  it('of a page of a player that names its stream', async () => {
    const base = await serving((request, response) => {
      const isList = request.url === '/live/cam.m3u8?a=1&b=2';
      const page = `<!doctype html><video src="/gone.m3u8"></video><script>play('/live/cam.m3u8?a=1&amp;b=2')</script>`;
      if (request.url === '/player') response.writeHead(200, { 'content-type': 'text/html' }).end(page);
      else response.writeHead(isList ? 200 : 404).end(isList ? '#EXTM3U\n' : '');
    });
    expect(await look(`${base}/player`)).toMatchObject({
      software: 'HLS',
      stream: 'cam',
      settings: { hls: `${base}/live/{stream}.m3u8?a=1&b=2` },
    });
    expect(await look(`${base}/nothing`)).toBeUndefined();
  });

  it('of a page after a redirect, to which its addresses are relative', async () => {
    const base = await serving(({ url = '', method }, response) => {
      const isHtml = { 'content-type': 'text/html' };
      if (url === '/cam') response.writeHead(301, { location: '/cam/' }).end();
      else if (url === '/cam/') response.writeHead(200, isHtml).end(`<html><script>new URL('whep', location)</script>`);
      else if (url === '/watch') response.writeHead(302, { location: '/live/web/' }).end();
      else if (url === '/live/web/') response.writeHead(200, isHtml).end('<html><video src="../cam.m3u8">');
      else if (url === '/live/cam.m3u8') response.end('#EXTM3U\n');
      else
        response.writeHead(url === '/cam/whep' && method === 'OPTIONS' ? 204 : 404, { allow: 'OPTIONS, POST' }).end();
    });
    expect(await look(`${base}/cam`)).toMatchObject({
      software: 'WHEP',
      stream: 'cam',
      settings: { whep: `${base}/{stream}/whep` },
    });
    expect(await look(`${base}/watch`)).toMatchObject({
      software: 'HLS',
      stream: 'cam',
      settings: { hls: `${base}/live/{stream}.m3u8` },
    });
  });

  it.each(['#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:0\n', '\uFEFF#EXTM3U'])(
    'of HLS without segments yet: %j',
    async (playlist) => {
      const base = await serving((_, response) => response.end(playlist));
      expect(await look(`${base}/cam/index.m3u8`)).toMatchObject({
        software: 'HLS',
        settings: { hls: `${base}/{stream}/index.m3u8` },
      });
    },
  );

  it('of HTTP-FLV, which is endless', async () => {
    const base = await serving((request, response) => {
      if (request.url === '/live/cam.flv') response.write('FLV\u0001\u0005\u0000\u0000\u0000\u0009');
      else response.writeHead(404).end();
    });
    expect(await look(`${base}/live/cam.flv`)).toMatchObject({
      software: 'FLV',
      settings: { flv: `${base}/live/{stream}.flv` },
    });
  });

  it('of FLV over WebSocket, with a stream and before one is published', async () => {
    const base = await servingWebSocket((path) =>
      path === '/live/cam.flv' || path === '/raw/cam' ? 'FLV\u0001\u0005' : undefined,
    );
    for (const [path, template] of [
      ['/live/cam.flv', '/live/{stream}.flv'],
      ['/raw/cam', '/raw/{stream}'],
      ['/live/later.flv', '/live/{stream}.flv'],
    ])
      expect(await look(`${base}${path}`)).toMatchObject({
        software: 'WebSocket-FLV',
        settings: { server: 'generic', flv: `${base}${template}` },
      });
    for (const typed of [`${base}/later`, 'ws://127.0.0.1:1/live/cam.flv']) expect(await look(typed)).toBeUndefined();
  });

  it('of FLV over secure WebSocket, with a private certificate only where that is accepted', async () => {
    const secure = createSecureServer(certificateMaker(temporaryFolder()).selfSigned('localhost'));
    new WebSocketServer({ server: secure }).on('connection', (socket) => socket.send(Buffer.from('FLV')));
    await new Promise<void>((resolve) => secure.listen(0, 'localhost', resolve));
    later(() => {
      secure.closeAllConnections();
      secure.close();
    });
    const typed = `wss://localhost:${(secure.address() as AddressInfo).port}/live/cam.flv`;
    expect(await look(typed)).toBeUndefined();
    expect(await look(typed, true)).toMatchObject({ software: 'WebSocket-FLV', stream: 'cam' });
  });

  it('of a page that names FLV over WebSocket', async () => {
    const stream = `${await servingWebSocket(() => 'FLV')}/live/cam.flv`;
    const page = await serving((_, response) =>
      response.writeHead(200, { 'content-type': 'text/html' }).end(`<!doctype html><script>play("${stream}")</script>`),
    );
    expect(await look(`${page}/player`)).toMatchObject({ software: 'WebSocket-FLV', stream: 'cam' });
  });

  it('of WHEP at an SRS, with the matching WHIP address, without sending an offer', async () => {
    const srs = await startSrs({ load: 'idle' });
    later(() => srs.close());
    const rtc = `${srs.url}/rtc/v1`;
    expect(await look(`${rtc}/whep/?app=live&stream=cam`)).toMatchObject({
      certainty: 0.4,
      software: 'WHEP and WHIP',
      detail: 'stream cam',
      settings: {
        whep: `${rtc}/whep/?app=live&stream={stream}`,
        whip: `${rtc}/whip/?app=live&stream={stream}`,
      },
    });
  });

  it('of an endpoint that declares its media type with Accept-Post', async () => {
    const base = await serving((request, response) => {
      const isEndpoint = request.method === 'OPTIONS' && request.url === '/in/cam';
      response.writeHead(isEndpoint ? 204 : 404, isEndpoint ? { 'Accept-Post': 'application/sdp' } : {}).end();
    });
    expect(await look(`${base}/in/cam`)).toMatchObject({
      software: 'WHEP',
      settings: { whep: `${base}/in/{stream}` },
    });
  });

  it('of anything else is not detected as one, and gets no offer', async () => {
    const posted: Array<string | undefined> = [];
    const base = await serving((request, response) => {
      if (request.method === 'POST') posted.push(request.url);
      response.writeHead(request.method === 'GET' ? 200 : 400).end('<html></html>');
    });
    for (const typed of [base, `${base}/upload/cam`, `${base}/live/cam.m3u8`, 'rtmp://127.0.0.1:1/live/cam'])
      expect(await look(typed)).toBeUndefined();
    expect(posted).toEqual([]);
  });
});

it('a real Prometheus is queried for each series', async () => {
  const prometheus = await startPrometheus([]);
  later(() => prometheus.end());
  const queries = { processMemoryBytes: 'vector(1048576) * 2', originViewers: 'sum(no_such_metric)' };
  const server = open({ prometheus: prometheus.url, queries });
  expect((await server.poll()).values).toEqual({ processMemoryBytes: 2_097_152 });
  const wrong = open({ prometheus: prometheus.url, queries: { load1: 'sum(' } });
  await expect(wrong.poll()).rejects.toThrow(/^Edge: Prometheus rejected the query for load1: .*parse error/);
});

describe("a server's own metrics", () => {
  const quiet = (): Promise<string> => serving((_, response) => response.end('hello'));

  it('of a real Go server: its process, and a GC pause when one occurred', async () => {
    const prometheus = await startPrometheus([]);
    const server = open({ whep: `${await quiet()}/{stream}`, metrics: `${prometheus.url}/metrics` });
    expect(server.capabilities.measure).toEqual([]);
    expect(await server.identify()).toEqual({ software: 'WHEP', remarks: [] });
    expect(server.capabilities.measure).toEqual(['process', 'GC']);
    // Triggers collections in Go until their pauses and their CPU show: the kernel counts CPU in ticks of 10 ms.
    let values: Awaited<ReturnType<typeof server.poll>>['values'] = {};
    const isMeasured = async (): Promise<boolean> => {
      // Within half a tick no rate is available.
      await sleep(600);
      for (let count = 0; count < 10; count++)
        expect((await fetch(`${prometheus.url}/debug/pprof/heap?gc=1`)).status).toBe(200);
      ({ values } = await server.poll());
      return (values.gcPauseMs ?? 0) > 0 && (values.processCpuPercent ?? 0) > 0;
    };
    expect(await until(isMeasured, 20_000)).toBe(true);
    expect(values.gcPauseMs).toBeGreaterThan(0);
    expect(values.gcPauseMs).toBeLessThan(1000);
    expect(values.processCpuPercent).toBeGreaterThan(0);
    const status = readFileSync(`/proc/${prometheus.pid}/status`, 'utf8');
    const memoryBytes = Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) * 1024;
    expect(Math.abs((values.processMemoryBytes ?? 0) / memoryBytes - 1)).toBeLessThan(0.3);
    expect(values.processOpenFiles).toBeGreaterThan(4);

    // It stops: its figures are missing, the others continue, and the node has a sentence.
    prometheus.end();
    expect(await until(() => !exists(prometheus.pid), 10_000)).toBe(true);
    expect(await server.poll()).toEqual({ values: {}, streams: [] });
    const { lacking, remarks } = await server.identify();
    expect(lacking).toMatch(/^Edge: no process figures and no GC pauses: .*127\.0\.0\.1:\d+.*\.$/);
    expect(remarks).toEqual([lacking]);
  });

  it('may be the only source of a node, which then depends on them', async () => {
    const prometheus = await startPrometheus([]);
    const server = open({ metrics: `${prometheus.url}/metrics` });
    expect(await server.identify()).toEqual({ software: 'Metrics', remarks: [] });
    expect((await server.poll()).values.processMemoryBytes).toBeGreaterThan(1_000_000);
    prometheus.end();
    expect(await until(() => !exists(prometheus.pid), 10_000)).toBe(true);
    await expect(server.poll()).rejects.toThrow(/^Edge: no process figures and no GC pauses: /);
    await expect(server.identify()).rejects.toMatchObject({ code: 'no-metrics' });
  });

  it.each([
    ['<html></html>', /returned a web page instead of Prometheus metrics/],
    ['', /returned an empty response/],
    ['node_load1 0.5\n', /contain neither a process nor a Go or Node\.js garbage collector/],
  ])('that are invalid are one sentence: %j', async (body, sentence) => {
    const server = open({
      whep: `${await quiet()}/{stream}`,
      metrics: await serving((_, response) => response.end(body)),
    });
    expect((await server.identify()).lacking).toMatch(sentence);
    expect(await server.poll()).toEqual({ values: {}, streams: [] });
    expect(server.capabilities.measure).toEqual([]);
  });

  it('that are only of streams, as those of MediaMTX, are a remark with what was expected, also during a poll', async () => {
    const body =
      'paths{name="cam",state="ready"} 1\npaths_bytes_received{name="cam",state="ready"} 5\nwebrtc_sessions 0\n';
    const url = await serving((_, response) => void setTimeout(() => response.end(body), 100));
    const server = open({ whep: `${await quiet()}/{stream}`, metrics: url });
    const [, { lacking, remarks }] = await Promise.all([server.poll(), server.identify()]);
    expect(lacking).toBe(
      `Edge: no process figures and no GC pauses: the metrics at ${url} contain neither a process nor a Go or Node.js garbage collector; expected e.g. process_cpu_seconds_total, process_resident_memory_bytes, go_gc_duration_seconds; others need "prometheus" and "queries".`,
    );
    expect(remarks).toEqual([lacking]);
  });

  it('are reported in the row of the node while missing, and shown as figures once available', async () => {
    const port = await freePort();
    const engine = engineInTemporaryFolder();
    await engine.client.call('nodes.add', {
      name: 'edge',
      settings: {
        server: 'generic',
        whep: `${await quiet()}/{stream}`,
        metrics: `http://127.0.0.1:${port}/metrics`,
      },
      secrets: {},
    });
    const lacking = await waitForNode(engine, 'edge', ({ problem }) => /GC pauses/.test(problem ?? ''));
    expect(lacking.state).toBe('live');
    const server = createServer((_, response) =>
      response.end(
        'process_resident_memory_bytes 4096\nnodejs_gc_duration_seconds_count{kind="minor"} 1\nnodejs_gc_duration_seconds_sum{kind="minor"} 0.001\n',
      ),
    );
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    later(() => {
      server.close();
    });
    const mended = await waitForNode(engine, 'edge', ({ can }) => can?.measure.includes('GC') === true);
    expect(mended.can?.measure).toContain('process');
    await waitForNode(engine, 'edge', ({ problem }) => !/GC pauses/.test(problem ?? ''));
  });
});

describe('a Prometheus with a query for each series', () => {
  const answers: Readonly<Record<string, object>> = {
    'sum(viewers)': {
      status: 'success',
      data: { resultType: 'vector', result: [{ metric: {}, value: [1, '42'] }] },
    },
    'scalar(2)': { status: 'success', data: { resultType: 'scalar', result: [1, '2.5'] } },
    nothing: { status: 'success', data: { resultType: 'vector', result: [] } },
    '0/0': { status: 'success', data: { resultType: 'scalar', result: [1, 'NaN'] } },
    two: {
      status: 'success',
      data: { resultType: 'vector', result: [{ value: [1, '1'] }, { value: [1, '2'] }] },
    },
    'sum(': { status: 'error', errorType: 'bad_data', error: '1:5: parse error: unclosed left parenthesis' },
  };
  const prometheus = (): Promise<string> =>
    serving((request, response) => {
      const query = new URL(request.url ?? '/', 'http://p').searchParams.get('query') ?? '';
      const answer = answers[query];
      response.writeHead(query === 'sum(' ? 400 : 200).end(answer ? JSON.stringify(answer) : '<html>');
    });

  it('returns the currently available figures', async () => {
    const server = open({
      prometheus: await prometheus(),
      queries: {
        originViewers: 'sum(viewers)',
        'server:load': 'scalar(2)',
        gcPauseMs: 'nothing',
        originInMbps: '0/0',
      },
    });
    expect(await server.poll()).toEqual({ values: { originViewers: 42, 'server:load': 2.5 }, streams: [] });
    expect(server.capabilities.measure).toEqual(['Viewers, origin count', 'load', 'GC pause', 'Media in']);
  });

  it.each([
    ['two', /originViewers returns 2 values instead of one; wrap it in sum\(\) or max\(\)/],
    ['sum(', /rejected the query for originViewers: 1:5: parse error/],
    ['page', /is not a Prometheus \(HTTP 200\)/],
  ])('explains %s', async (query, message) => {
    const server = open({ prometheus: await prometheus(), queries: { originViewers: query } });
    await expect(server.poll()).rejects.toThrow(message);
  });

  it('reports that an unknown series is not queried', async () => {
    const base = await serving((_, response) => response.end('hello'));
    const server = open({
      whep: `${base}/{stream}`,
      prometheus: 'http://127.0.0.1:1',
      queries: { 'my figure': 'x' },
    });
    expect((await server.identify()).remarks).toEqual([
      'Edge: "my figure" is not a series of Fullhouse, so its query is skipped; a server-specific figure is called server:my_figure.',
    ]);
    expect(await server.poll()).toEqual({ values: {}, streams: [] });
  });
});

it('is not opened without an address', () => {
  expect(() => open({})).toThrow('Edge has no address to pull or publish at; edit the node');
});
