import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { performance } from 'node:perf_hooks';
import { FullhouseError } from '../../../contract/calls';
import { exchange, StaleConnection, type RawAnswer } from './exchange';
import type { HttpAnswer, HttpLink, HttpLinkOptions, HttpRequest } from './httpLink';
import { readJson, requireGood } from './readAnswer';
import { redirectTarget } from './redirect';

const usualTimeoutMs = 5000;
const usualMostBytes = 8_000_000;
const mostRedirects = 3;
/** Connections to one node at a time: more would be load of our own making. */
const mostSockets = 6;

type AnswerFrom = HttpAnswer & { readonly from: URL };

/** Opens HTTP to one node; nothing is sent before the first request. */
export function openHttpLink(options: HttpLinkOptions): HttpLink {
  const { who, base } = options;
  const kept = { keepAlive: true, maxSockets: mostSockets };
  const agents = { plain: new Agent(kept), secure: new SecureAgent(kept) };
  const underWay = new Set<(error: FullhouseError) => void>();
  let isClosed = false;
  const closedHere = (): FullhouseError =>
    new FullhouseError('aborted', `${who}: the request was called off, since the node is closed.`);

  const resolveUrl = (text: string): URL => {
    let url: URL | undefined;
    try {
      url = new URL(text, base);
    } catch {
      url = undefined;
    }
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
    // Not the address itself: it may hold a password.
    throw new FullhouseError(
      'bad-address',
      `${who}: the address to ask is no http:// or https:// address; check it in the node's settings.`,
    );
  };

  /** Credentials in the address count more than the node's, which go to the node's own host only. */
  const credentials = (url: URL): Record<string, string> => {
    const { basic } = options;
    if (url.username) return basicHeader(decodeURIComponent(url.username), decodeURIComponent(url.password));
    if (!basic || (base !== undefined && new URL(base).hostname !== url.hostname)) return {};
    return basicHeader(basic.user, basic.password);
  };

  /** One address, asked again once on a new connection where that is safe. */
  const ask = async (url: URL, asked: HttpRequest, endMs: number): Promise<RawAnswer> => {
    const method = asked.method ?? 'GET';
    const bare = new URL(url);
    bare.username = '';
    bare.password = '';
    const send = (isNewConnection: boolean): Promise<RawAnswer> =>
      exchange({
        who,
        agents: isNewConnection ? undefined : agents,
        acceptSelfSigned: options.acceptSelfSigned === true,
        method,
        url: bare,
        headers: { ...credentials(url), ...asked.headers },
        body: asked.body,
        timeoutMs: asked.timeoutMs ?? usualTimeoutMs,
        leftMs: endMs - performance.now(),
        mostBytes: asked.mostBytes ?? usualMostBytes,
        firstBytes: asked.firstBytes,
        signal: asked.signal,
        encoding: asked.encoding ?? 'utf8',
        underWay,
      });
    try {
      return await send(false);
    } catch (error) {
      if (error instanceof StaleConnection && (method === 'GET' || method === 'HEAD')) return send(true);
      throw error;
    }
  };

  const answerTo = async (asked: HttpRequest): Promise<AnswerFrom> => {
    if (isClosed) throw closedHere();
    const startMs = performance.now();
    const endMs = startMs + (asked.timeoutMs ?? usualTimeoutMs);
    let from = resolveUrl(asked.url);
    let answer = await ask(from, asked, endMs);
    for (let followed = 0; followed < mostRedirects; followed += 1) {
      const to = redirectTarget({
        from,
        method: asked.method ?? 'GET',
        status: answer.status,
        location: answer.headers.location,
        hasCredentials: 'Authorization' in { ...credentials(from), ...asked.headers },
        allowCrossOrigin: options.allowCrossOrigin,
      });
      if (!to) break;
      if (from.username && !to.username && to.hostname === from.hostname) {
        to.username = from.username;
        to.password = from.password;
      }
      from = to;
      answer = await ask(from, asked, endMs);
    }
    return { ...answer, tookMs: performance.now() - startMs, from };
  };

  return {
    request: async (asked) => {
      const { status, headers, body, tookMs } = await answerTo(asked);
      return { status, headers, body, tookMs };
    },
    json: async (asked, schema) => {
      const answer = await answerTo(asked);
      requireGood(who, answer.from, answer);
      return readJson(who, answer.from, answer.body, schema);
    },
    text: async (asked) => {
      const answer = await answerTo(asked);
      requireGood(who, answer.from, answer);
      return answer.body;
    },
    close: () => {
      isClosed = true;
      for (const end of [...underWay]) end(closedHere());
      agents.plain.destroy();
      agents.secure.destroy();
    },
  };
}

function basicHeader(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
