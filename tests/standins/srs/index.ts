import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import {
  captured,
  capturedErrors,
  capturedPublishers,
  whepAnswer,
  type CapturedClient,
  type SrsLoad,
} from './captured';

/** How it responds: like SRS, or with errors. */
export type SrsBehaviour = 'well' | 'html' | 'half' | 'garbage' | 'never';

export interface SrsStandIn {
  /** Base of its API. */
  readonly url: string;
  /** Of its exporter. */
  readonly metrics: string;
  behaviour: SrsBehaviour;
  /** Delay of each response, in ms. */
  delayMs: number;
  /** Method and path of every request so far. */
  readonly asked: string[];
  /** Advances its own clock, which is static otherwise. */
  passes(ms: number): void;
  close(): Promise<void>;
}

/** SRS updates its byte counters every 3 s, and counts frames in steps of 5 s. */
const sampleEveryMs = 3000;
const framesEveryMs = 5000;
/** Bitrates under the captured loads, in bits per second. */
const outBps = 30_000_000;
const inBps = 150_000;
const fps = 25;

/** Serves the captured responses of a real SRS over time: counters grow, and a disconnected client disappears. */
export async function startSrs(options: {
  readonly load: SrsLoad;
  /** Listed clients: the captured ten and copies of them. */
  readonly clients?: number;
  /** Like older versions, does not report a stream's publisher with the stream. */
  readonly hidesPublishers?: boolean;
}): Promise<SrsStandIn> {
  const { load } = options;
  const first = captured(load);
  let passedMs = 0;
  const gone = new Set<string>();
  const clients = listClients(first.clients.clients, options.clients ?? first.clients.clients.length);
  const publishers = publishersOf(load);
  const sockets = new Set<Socket>();

  const answers: Readonly<Record<string, (query: URLSearchParams) => object>> = {
    '/api/v1/versions': () => first.versions,
    '/api/v1/vhosts/': () => first.vhosts,
    '/api/v1/summaries': () => {
      const now = captured(load).summaries;
      const { system } = now.data;
      const sampledMs = Math.floor(passedMs / sampleEveryMs) * sampleEveryMs;
      now.data.now_ms += passedMs;
      system['srs_sample_time'] = (system['srs_sample_time'] ?? 0) + sampledMs;
      if (publishers.length > 0) {
        system['srs_send_bytes'] = (system['srs_send_bytes'] ?? 0) + (outBps / 8000) * sampledMs;
        system['srs_recv_bytes'] = (system['srs_recv_bytes'] ?? 0) + (inBps / 8000) * sampledMs;
      }
      return now;
    },
    '/api/v1/streams/': () => {
      const now = captured(load).streams;
      for (const stream of now.streams) {
        stream.live_ms += passedMs;
        if (stream.frames > 0) stream.frames += (Math.floor(passedMs / framesEveryMs) * framesEveryMs * fps) / 1000;
      }
      const streams = now.streams.filter(({ publish }) => !gone.has(publish.cid));
      if (!options.hidesPublishers) return { ...now, streams };
      return { ...now, streams: streams.map((stream) => ({ ...stream, publish: { active: true } })) };
    },
    '/api/v1/clients/': (query) => {
      const start = Number(query.get('start') ?? 0);
      const count = Math.max(10, Number(query.get('count') ?? 10));
      const listed = options.hidesPublishers ? [...clients, ...publishers] : clients;
      return { ...first.clients, clients: listed.slice(start, start + count) };
    },
  };

  const one = (request: IncomingMessage, id: string): object => {
    const client = [...publishers, ...clients].find((publisher) => publisher.id === id && !gone.has(id));
    if (!client) return capturedErrors.unknownClient ?? {};
    const { code, server, service, pid } = first.versions as Record<string, unknown>;
    if (request.method === 'DELETE') gone.add(id);
    return request.method === 'DELETE' ? { code, server, service, pid } : { code, server, service, pid, client };
  };

  const api = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://srs');
    standIn.asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    const say = (): void => {
      if (pathname.startsWith('/rtc/v1/')) return signalling(request, response, pathname, searchParams);
      const client = /^\/api\/v1\/clients\/([^/]+)$/.exec(pathname)?.[1];
      const known = answers[pathname];
      const answer =
        client !== undefined
          ? one(request, client)
          : known
            ? known(searchParams)
            : pathname.startsWith('/api/')
              ? capturedErrors.unknownPath
              : capturedErrors.unknownRoot;
      speak(response, standIn.behaviour, JSON.stringify(answer));
    };
    if (standIn.behaviour === 'never') return;
    if (standIn.delayMs > 0) setTimeout(say, standIn.delayMs);
    else say();
  });
  const exporter = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'Close' });
    response.end(first.metrics);
  });
  const servers = [api, exporter];
  for (const server of servers) server.on('connection', (socket) => sockets.add(socket));

  const standIn: SrsStandIn = {
    url: await listen(api),
    metrics: `${await listen(exporter)}/metrics`,
    behaviour: 'well',
    delayMs: 0,
    asked: [],
    passes: (ms) => {
      passedMs += ms;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
    },
  };
  return standIn;
}

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

function speak(response: ServerResponse, behaviour: SrsBehaviour, json: string): void {
  const type = behaviour === 'html' ? 'text/html' : 'application/json';
  response.writeHead(200, { 'Content-Type': type, Server: 'SRS/7.0.18(Hang)', Connection: 'Close' });
  if (behaviour === 'html') response.end('<!DOCTYPE html><html><body>Please log in</body></html>');
  else if (behaviour === 'half') response.end(json.slice(0, json.length / 2));
  else if (behaviour === 'garbage') response.end(Buffer.alloc(10_000_000, '\u0001garbage'));
  else response.end(json);
}

/** WHIP and WHEP like SRS: an invalid offer closes the connection, an unpublished stream is accepted. */
function signalling(
  request: IncomingMessage,
  response: ServerResponse,
  pathname: string,
  query: URLSearchParams,
): void {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    if (request.method === 'DELETE' && query.has('session')) response.writeHead(200, { Connection: 'Close' }).end();
    else if (request.method === 'POST' && /\/whe?i?p\/$/.test(pathname) && body.startsWith('v=0\r\n')) {
      const stream = query.get('stream') ?? 'livestream';
      response.writeHead(201, {
        'Content-Type': 'application/sdp',
        Location: `/rtc/v1/whip/?action=delete&token=k8zbhh6c0&app=live&stream=${stream}&session=is07552y:2hpx`,
        Connection: 'Close',
      });
      response.end(whepAnswer());
    } else request.socket.destroy();
  });
}

function listClients(some: readonly CapturedClient[], count: number): CapturedClient[] {
  return Array.from({ length: count }, (_, index) => {
    const like = some[index % some.length];
    if (!like) throw new Error('No client was captured under this load.');
    return { ...like, id: index < some.length ? like.id : `${like.id}-${index}` };
  });
}

/** The response about an RTMP publisher was not captured: it is a WebRTC one's with the id and type of an RTMP one. */
function publishersOf(load: SrsLoad): CapturedClient[] {
  if (load === 'webrtc-200') return capturedPublishers();
  if (load !== 'rtmp-300') return [];
  return capturedPublishers()
    .slice(0, 1)
    .map((publisher) => ({ ...publisher, id: 'y7121i11', type: 'fmle-publish', stream: 'vid-18711lr' }));
}
