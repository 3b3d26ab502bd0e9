import { Agent, type ClientRequest } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { performance } from 'node:perf_hooks';
import type { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { exchange, StaleConnection, type RawAnswer } from './exchange';
import { describeAnswer, shownAddress, statusFault } from './httpFaults';
import type { HttpAnswer, HttpLink, HttpLinkOptions, HttpRequest } from './httpLink';

const usualTimeoutMs = 5000;
const usualMostBytes = 8_000_000;
const mostRedirects = 3;
const redirectStatuses = new Set([301, 302, 303, 307, 308]);
/** Connections to one node at a time: more would be load of our own making. */
const mostSockets = 6;

/** Opens HTTP to one node; nothing is sent before the first request. */
export function openHttpLink(options: HttpLinkOptions): HttpLink {
  const { who, base } = options;
  const kept = { keepAlive: true, maxSockets: mostSockets };
  const agents = {
    plain: new Agent(kept),
    secure: new SecureAgent({ ...kept, rejectUnauthorized: options.acceptSelfSigned !== true }),
  };
  const underWay = new Set<ClientRequest>();
  let isClosed = false;
  const closedHere = (): FullhouseError =>
    new FullhouseError('aborted', `${who}: the request was called off, since its node was closed.`);

  const resolveUrl = (text: string): URL => {
    let url: URL | undefined;
    try {
      url = new URL(text, base);
    } catch {
      url = undefined;
    }
    if (!url || !/^https?:$/.test(url.protocol))
      // Not the address itself: it may hold a password.
      throw new FullhouseError(
        'bad-address',
        `${who}: the address to ask is no http:// or https:// address; check it in the node's settings.`,
      );
    return url;
  };

  /** Credentials of the address itself count more than the node's, which go to the node's own host only. */
  const authorization = (url: URL): Record<string, string> => {
    const { basic } = options;
    if (url.username) return basicHeader(decodeURIComponent(url.username), decodeURIComponent(url.password));
    if (!basic || (base !== undefined && new URL(base).hostname !== url.hostname)) return {};
    return basicHeader(basic.user, basic.password);
  };

  const once = async (url: URL, request: HttpRequest, endMs: number): Promise<RawAnswer> => {
    const method = request.method ?? 'GET';
    const timeoutMs = request.timeoutMs ?? usualTimeoutMs;
    const bare = new URL(url);
    bare.username = '';
    bare.password = '';
    let mine: ClientRequest | undefined;
    const send = (): Promise<RawAnswer> =>
      exchange({
        who,
        agents,
        method,
        url: bare,
        headers: { ...authorization(url), ...request.headers },
        body: request.body,
        timeoutMs,
        leftMs: endMs - performance.now(),
        mostBytes: request.mostBytes ?? usualMostBytes,
        signal: request.signal,
        onRequest: (made) => {
          if (mine) underWay.delete(mine);
          mine = made;
          underWay.add(made);
        },
      });
    try {
      return await send().catch((error: unknown) => {
        if (!(error instanceof StaleConnection)) throw error;
        if (isClosed) throw closedHere();
        if (method === 'GET' || method === 'HEAD') return send();
        throw new FullhouseError(
          'closed',
          `${who}: ${shownAddress(url)} closed the connection without an answer.`,
          { cause: error },
        );
      });
    } catch (error) {
      // A second connection that was closed as well: there were several kept ones.
      if (error instanceof StaleConnection)
        throw new FullhouseError(
          'closed',
          `${who}: ${shownAddress(url)} closed the connection without an answer.`,
          { cause: error },
        );
      throw error;
    } finally {
      if (mine) underWay.delete(mine);
    }
  };

  /** Where a redirect leads, if it is followed. */
  const next = (from: URL, request: HttpRequest, answer: RawAnswer): URL | undefined => {
    const method = request.method ?? 'GET';
    const { location } = answer.headers;
    if (!redirectStatuses.has(answer.status) || !location || (method !== 'GET' && method !== 'HEAD'))
      return undefined;
    let to: URL;
    try {
      to = new URL(location, from);
    } catch {
      return undefined;
    }
    if (!/^https?:$/.test(to.protocol)) return undefined;
    const hasCredentials = 'Authorization' in { ...authorization(from), ...request.headers };
    // Credentials neither leave TLS nor go to another host.
    if (hasCredentials && (from.protocol === 'https:') && to.protocol !== 'https:') return undefined;
    if (hasCredentials && to.hostname !== from.hostname) return undefined;
    if (to.hostname === from.hostname && !to.username) {
      to.username = from.username;
      to.password = from.password;
    }
    return to;
  };

  const request = async (asked: HttpRequest): Promise<HttpAnswer & { readonly from: URL }> => {
    if (isClosed) throw closedHere();
    const startMs = performance.now();
    const endMs = startMs + (asked.timeoutMs ?? usualTimeoutMs);
    let url = resolveUrl(asked.url);
    let answer = await once(url, asked, endMs);
    for (let followed = 0; followed < mostRedirects; followed += 1) {
      const to = next(url, asked, answer);
      if (!to) break;
      url = to;
      answer = await once(url, asked, endMs);
    }
    return { ...answer, tookMs: performance.now() - startMs, from: url };
  };

  const good = async (asked: HttpRequest): Promise<HttpAnswer & { readonly from: URL }> => {
    const answer = await request(asked);
    if (answer.status < 200 || answer.status >= 300)
      throw statusFault(who, answer.from, { status: answer.status, location: answer.headers.location });
    return answer;
  };

  return {
    request: async (asked) => {
      const { status, headers, body, tookMs } = await request(asked);
      return { status, headers, body, tookMs };
    },
    json: async (asked, schema) => {
      const { body, from } = await good(asked);
      return readJson(who, from, body, schema);
    },
    text: async (asked) => (await good(asked)).body,
    close: () => {
      isClosed = true;
      for (const each of underWay) each.destroy(closedHere());
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

function basicHeader(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}

function readJson<T>(who: string, from: URL, body: string, schema: z.ZodType<T>): T {
  let raw: unknown;
  try {
    raw = JSON.parse(body.replace(/^\uFEFF/, ''));
  } catch (error) {
    throw new FullhouseError(
      'not-json',
      `${who}: ${shownAddress(from)} answers with ${describeAnswer(body)} where JSON is expected; check the address.`,
      { cause: error },
    );
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new FullhouseError(
    'bad-answer',
    `${who}: ${shownAddress(from)} answers with something else than expected (${issue?.path.join('.') || 'answer'}: ${issue?.message ?? 'unknown'}); it may be another version or another server.`,
  );
}
