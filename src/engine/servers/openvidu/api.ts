import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { secretFix } from '../../base/secretPlace';
import type { HttpResponse, HttpLink, HttpRequest } from '../../links/http/httpLink';
import { requireSuccess, readParts, type OnInvalid } from '../../links/http/readResponse';
import { configResponse, sessionsResponse, type OpenViduSession } from './responses';

/** The only user; its password is OPENVIDU_SECRET. */
export const defaultUser = 'OPENVIDUAPP';
/** A session of 5,000 connections is one response. */
const maxBytes = 32_000_000;

export interface ApiOptions {
  readonly who: string;
  readonly http: HttpLink;
  /** Without trailing slash. */
  readonly base: string;
  readonly user: string;
  /** Read for each call: it may change. */
  readonly secret: () => string;
  /** Default 5,000. */
  readonly timeoutMs?: number;
  readonly remark?: OnInvalid;
}

/** OpenVidu 2's REST API, from 2.16 on. Rejects with one sentence. */
export interface Api {
  version(): Promise<string>;
  sessions(): Promise<readonly OpenViduSession[]>;
  /** Disconnects all participants. Rejects with `no-stream` when the session does not exist. */
  closeSession(session: string): Promise<void>;
}

export const apiPath = '/openvidu/api';

/** `https://host:port` of an entered address; undefined when invalid. */
export function originOf(address: string | undefined): string | undefined {
  try {
    const { origin, protocol } = new URL(address ?? '');
    return /^https?:$/.test(protocol) ? origin : undefined;
  } catch {
    return undefined;
  }
}

export function openviduApi({ who, http, base, user, secret, timeoutMs, remark }: ApiOptions): Api {
  const ask = async (path: string, more: Partial<HttpRequest> = {}): Promise<[URL, HttpResponse]> => {
    const url = `${base}${apiPath}${path}`;
    const answer = await http.request({
      ...more,
      url,
      maxBytes,
      timeoutMs,
      headers: { Authorization: `Basic ${Buffer.from(`${user}:${secret()}`).toString('base64')}` },
    });
    if (answer.status === 401)
      throw new FullhouseError(
        'openvidu-secret',
        `${who}: OpenVidu rejected the secret of the user ${user}; ${secretFix(who, 'httpPassword', 'enter OPENVIDU_SECRET again')}.`,
      );
    return [new URL(url), answer];
  };
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const [url, answer] = await ask(path);
    if (answer.status === 404)
      throw new FullhouseError(
        'http-404',
        `${who}: ${apiPath} does not exist at ${url.origin}; check the address, and that it is OpenVidu 2.16 or newer (OpenVidu 3 is added as LiveKit).`,
      );
    requireSuccess(who, url, answer);
    return readParts(who, url, answer.body, schema, { onInvalid: remark });
  };
  return {
    version: async () => (await read('/config', configResponse)).VERSION,
    sessions: async () => (await read('/sessions', sessionsResponse)).content,
    closeSession: async (session) => {
      const [url, answer] = await ask(`/sessions/${encodeURIComponent(session)}`, { method: 'DELETE' });
      if (answer.status === 404)
        throw new FullhouseError('no-stream', `${who}: session "${session}" no longer exists.`);
      requireSuccess(who, url, answer);
    },
  };
}
