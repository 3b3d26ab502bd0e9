import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { z } from 'zod';
import type { WcsNode } from './node';
import { faulty, type RestAnswer, type RestMethod } from './restAnswer';
import { otherMethods } from './restOthers';
import { pullMethods } from './restPulls';
import { sipMethods } from './restSip';
import { streamMethods } from './restStreams';
import { statisticsPage } from './statistics';

export interface RestPort {
  readonly port: number;
  close(): Promise<void>;
}

const given = z.record(z.string(), z.unknown());
const page = '<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in</body></html>';

/** The port 8081 of a stand-in: REST and statistics. GET and POST are equivalent. */
export async function serveRest(node: WcsNode): Promise<RestPort> {
  const methods: Readonly<Record<string, RestMethod>> = {
    ...pullMethods(node),
    ...streamMethods(node),
    ...otherMethods(node),
    ...sipMethods(node),
  };
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => void answer(node, methods, request, response));
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

async function answer(
  node: WcsNode,
  methods: Readonly<Record<string, RestMethod>>,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://standin');
  const path = url.pathname.replace(/^\/rest-api/, '') || '/';
  node.requests.push(`${request.method ?? ''} ${path}`);
  const body = await bodyOf(request);
  // A browser's CORS preflight before it posts JSON to another host.
  if (request.method === 'OPTIONS') return reply(response, 200, 'text/plain', '');
  const { answers, answersOf, answerDelayMs } = node.conditions;
  const isMisbehaving = answersOf.test(path);
  if (isMisbehaving && answerDelayMs > 0) await new Promise((resolve) => setTimeout(resolve, answerDelayMs));
  if (isMisbehaving && answers === 'never') return;
  if (isMisbehaving && answers === 'drop') return void request.socket.destroy();
  if (isMisbehaving && answers === 'html') return reply(response, 200, 'text/html', page);
  if (isMisbehaving && answers === 'garbage')
    return reply(response, 200, 'text/plain', '\u0000\u0001=?\n'.repeat(200_000));
  const cut = (text: string): string =>
    isMisbehaving && answers === 'half-json' ? text.slice(0, Math.ceil(text.length / 2)) : text;
  if (url.searchParams.get('action') === 'stat') {
    const { type, body: statistics } = statisticsPage(node, url.searchParams);
    return reply(response, 200, type, cut(statistics));
  }
  const method = url.pathname.startsWith('/rest-api/') ? methods[path] : undefined;
  if (!method) return reply(response, 404, 'text/html', page);
  const result = await call(method, body);
  reply(
    response,
    result.status,
    'application/json',
    result.body === undefined ? '' : cut(JSON.stringify(result.body, without(node.conditions.missingFields))),
  );
}

function without(names: readonly string[]): (key: string, value: unknown) => unknown {
  return (key, value) => (names.includes(key) ? undefined : value);
}

async function call(method: RestMethod, body: string): Promise<RestAnswer> {
  let raw: unknown = {};
  try {
    raw = body === '' ? {} : JSON.parse(body);
  } catch {
    return faulty;
  }
  const parsed = given.safeParse(raw);
  return parsed.success ? method(parsed.data) : faulty;
}

function reply(response: ServerResponse, status: number, type: string, body: string): void {
  response.writeHead(status, {
    'Content-Type': type,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Allow-Headers': 'Content-Type',
  });
  response.end(body);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
