import { once } from 'node:events';
import { createServer, type ServerOptions } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startSessions, type Sessions } from './sessions';

export interface OpenviduStandIn {
  /** `https://127.0.0.1:PORT`. */
  readonly url: string;
  readonly secret: string;
  readonly sessions: Sessions;
  /** Response instead of the API from now on: an HTML page, truncated JSON; undefined for the API. */
  answerInstead: string | undefined;
  /** Method and path of all requests, oldest first. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** The part of OpenVidu 2.30's REST API that a console needs, over TLS, with sessions that a test defines. */
export async function startOpenvidu(certificate: Pick<ServerOptions, 'cert' | 'key'>): Promise<OpenviduStandIn> {
  const secret = 'MADE_UP_SECRET';
  const sessions = startSessions();
  const asked: string[] = [];
  const standIn = { answerInstead: undefined as string | undefined };

  const server = createServer(certificate, (request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'https://standin');
    asked.push(`${request.method} ${pathname}`);
    request.resume();
    if (standIn.answerInstead !== undefined) {
      response.end(standIn.answerInstead);
      return;
    }
    answer(request, response, pathname);
  });
  const answer = (request: IncomingMessage, response: ServerResponse, pathname: string): void => {
    const json = (status: number, body?: object): void => {
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(body && JSON.stringify(body));
    };
    const path = /^\/openvidu\/api(\/.*)$/.exec(pathname)?.[1];
    // Spring's error format.
    const spring = (status: number, error: string): void => {
      if (status === 401) response.setHeader('WWW-Authenticate', 'Basic realm="Realm"');
      json(status, { timestamp: new Date().toISOString(), status, error, path: pathname });
    };
    if (path === '/config/openvidu-publicurl' && request.method === 'GET') {
      response.setHeader('Content-Type', 'text/plain;charset=UTF-8').end(`${url}/`);
      return;
    }
    const expected = `Basic ${Buffer.from(`OPENVIDUAPP:${secret}`).toString('base64')}`;
    if (path === undefined) return spring(404, 'Not Found');
    if (request.headers.authorization !== expected) return spring(401, 'Unauthorized');
    const [, kind, session, below, connection] = path.split('/').map(decodeURIComponent);
    const asks = `${request.method} ${kind}`;
    if (asks === 'GET config' && !session) return json(200, configOf(url));
    if (asks === 'GET sessions' && !session) return json(200, sessions.list());
    if (asks === 'GET sessions' && session && !below) {
      const found = sessions.get(session);
      return found ? json(200, found) : json(404);
    }
    if (asks === 'DELETE sessions' && session && !below) return json(sessions.close(session) ? 204 : 404);
    if (asks === 'DELETE sessions' && session && below === 'connection' && connection) {
      if (!sessions.get(session)) return json(400);
      return json(sessions.disconnect(session, connection) ? 204 : 404);
    }
    return spring(404, 'Not Found');
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return Object.assign(standIn, {
    url,
    secret,
    sessions,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function configOf(url: string): object {
  return {
    VERSION: '2.30.0',
    DOMAIN_OR_PUBLIC_IP: '127.0.0.1',
    HTTPS_PORT: Number(new URL(url).port),
    OPENVIDU_PUBLICURL: url,
    OPENVIDU_EDITION: 'ce',
    OPENVIDU_CDR: false,
    MAX_RECV_BANDWIDTH: 1000,
    MIN_RECV_BANDWIDTH: 300,
    MAX_SEND_BANDWIDTH: 1000,
    MIN_SEND_BANDWIDTH: 300,
    OPENVIDU_SESSIONS_GARBAGE_INTERVAL: 900,
    OPENVIDU_SESSIONS_GARBAGE_THRESHOLD: 3600,
    OPENVIDU_RECORDING: false,
    OPENVIDU_WEBHOOK: false,
  };
}
