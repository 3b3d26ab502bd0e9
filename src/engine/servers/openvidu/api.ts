import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import type { HttpAnswer, HttpLink, HttpRequest } from '../../links/http/httpLink';
import { requireGood, readJson } from '../../links/http/readAnswer';
import { configAnswer, sessionsAnswer, type Session } from './answers';

/** The only user there is; its password is OPENVIDU_SECRET. */
export const usualUser = 'OPENVIDUAPP';
/** A session of 5,000 connections comes in one answer. */
const mostBytes = 32_000_000;

export interface ApiOptions {
  readonly who: string;
  readonly http: HttpLink;
  /** Without a slash at its end. */
  readonly base: string;
  readonly user: string;
  /** Asked for each call: it may be entered anew. */
  readonly secret: () => string;
  /** Default 5,000. */
  readonly timeoutMs?: number;
}

/** OpenVidu 2's REST API, from 2.16 on. Rejects with one sentence. */
export interface Api {
  version(): Promise<string>;
  sessions(): Promise<readonly Session[]>;
  /** Sends everybody away. Rejects with `no-stream` when there is no such session. */
  closeSession(session: string): Promise<void>;
}

export const apiPath = '/openvidu/api';

/** `https://host:port` of an address as typed; undefined when it is none. */
export function originOf(address: string | undefined): string | undefined {
  try {
    const { origin, protocol } = new URL(address ?? '');
    return /^https?:$/.test(protocol) ? origin : undefined;
  } catch {
    return undefined;
  }
}

export function openviduApi({ who, http, base, user, secret, timeoutMs }: ApiOptions): Api {
  const ask = async (path: string, more: Partial<HttpRequest> = {}): Promise<[URL, HttpAnswer]> => {
    const url = `${base}${apiPath}${path}`;
    const answer = await http.request({
      ...more,
      url,
      mostBytes,
      timeoutMs,
      headers: { Authorization: `Basic ${Buffer.from(`${user}:${secret()}`).toString('base64')}` },
    });
    if (answer.status === 401)
      throw new FullhouseError(
        'openvidu-secret',
        `${who}: OpenVidu does not take the secret of the user ${user}; enter its OPENVIDU_SECRET again.`,
      );
    return [new URL(url), answer];
  };
  const read = async <T>(path: string, schema: z.ZodType<T>): Promise<T> => {
    const [url, answer] = await ask(path);
    if (answer.status === 404)
      throw new FullhouseError(
        'http-404',
        `${who}: there is no ${apiPath} at ${url.origin}; check the address, and that it is OpenVidu 2.16 or newer (OpenVidu 3 is added as LiveKit).`,
      );
    requireGood(who, url, answer);
    return readJson(who, url, answer.body, schema);
  };
  return {
    version: async () => (await read('/config', configAnswer)).VERSION,
    sessions: async () => (await read('/sessions', sessionsAnswer)).content,
    closeSession: async (session) => {
      const [url, answer] = await ask(`/sessions/${encodeURIComponent(session)}`, { method: 'DELETE' });
      if (answer.status === 404)
        throw new FullhouseError('no-stream', `${who}: there is no session "${session}" any more.`);
      requireGood(who, url, answer);
    },
  };
}
