import { Agent } from 'node:http';
import { Agent as SecureAgent } from 'node:https';
import { FullhouseError } from '../../../contract/calls';
import { systemClock } from '../../base/clock';
import { exchange, StaleConnection, type RawResponse } from './exchange';
import type { HttpResponse, HttpLink, HttpLinkOptions, HttpRequest } from './httpLink';
import { proxyFor, type ProxyChoice } from './proxyChoice';
import { SecureTunnelAgent } from './proxyTunnel';
import { readJson, requireSuccess } from './readResponse';
import { haveCredentials, redirectTarget } from './redirect';
import { percentDecoded } from '../../../domain/text/percentDecoded';

const defaultTimeoutMs = 5000;
const defaultMaxBytes = 8_000_000;
const maxRedirects = 3;
/** Max connections to one node: more would be load of our own. */
const socketLimit = 6;

type AnswerFrom = HttpResponse & { readonly from: URL };

/** Opens HTTP to one node; sends nothing before the first request. */
export function openHttpLink(options: HttpLinkOptions): HttpLink {
  const { who, base, clock = systemClock } = options;
  const { credentialsFor = (url: URL): boolean => base === undefined || new URL(base).hostname === url.hostname } =
    options;
  const sockets = { keepAlive: true, maxSockets: socketLimit };
  const agents = { plain: new Agent(sockets), secure: new SecureAgent(sockets) };
  /** By the proxy's address and login. */
  const tunnels = new Map<string, SecureTunnelAgent>();
  const agentsFor = (proxy: ProxyChoice | undefined): typeof agents => {
    if (!proxy) return agents;
    const key = `${proxy.host} ${proxy.port} ${proxy.authorization}`;
    let secure = tunnels.get(key);
    if (!secure) tunnels.set(key, (secure = new SecureTunnelAgent(who, proxy, sockets)));
    return { plain: agents.plain, secure };
  };
  let certificateExpiresMs: number | undefined;
  const activeRequests = new Set<(error: FullhouseError) => void>();
  let isClosed = false;
  const closedHere = (): FullhouseError =>
    new FullhouseError('aborted', `${who}: the request was cancelled because the node was closed.`);

  const resolveUrl = (text: string): URL => {
    let url: URL | undefined;
    try {
      url = new URL(text, base);
    } catch {
      url = undefined;
    }
    if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
    // Not the address itself: it may contain a password.
    throw new FullhouseError(
      'bad-address',
      `${who}: the address is not an http:// or https:// address; check the node's settings.`,
    );
  };

  /** Credentials in the address have priority over the node's, which go to the node's own host only. */
  const credentials = (url: URL): Record<string, string> => {
    const { basic } = options;
    if (url.username) return basicHeader(percentDecoded(url.username), percentDecoded(url.password));
    if (!basic || !credentialsFor(url)) return {};
    return basicHeader(basic.user, basic.password);
  };

  /** One address, repeated once on a new connection where that is safe. */
  const ask = async (url: URL, request: HttpRequest, endMs: number): Promise<RawResponse> => {
    const method = request.method ?? 'GET';
    const bare = withoutCredentials(url);
    const proxy = proxyFor(bare, options.proxy, who);
    const send = (isNewConnection: boolean): Promise<RawResponse> =>
      exchange({
        who,
        clock,
        agents: isNewConnection || request.stream ? undefined : agentsFor(proxy),
        proxy,
        acceptSelfSigned: options.acceptSelfSigned === true,
        method,
        url: bare,
        headers: { ...credentials(url), ...request.headers },
        body: request.body,
        timeoutMs: request.timeoutMs ?? defaultTimeoutMs,
        leftMs: endMs - clock.monotonic(),
        maxBytes: request.maxBytes ?? defaultMaxBytes,
        firstBytes: request.firstBytes,
        stream: request.stream,
        signal: request.signal,
        encoding: request.encoding ?? 'utf8',
        activeRequests,
        certificate: (expiresMs) => (certificateExpiresMs = expiresMs),
      });
    try {
      return await send(false);
    } catch (error) {
      if (error instanceof StaleConnection && (method === 'GET' || method === 'HEAD')) return send(true);
      throw error;
    }
  };

  const answerTo = async (request: HttpRequest): Promise<AnswerFrom> => {
    if (isClosed) throw closedHere();
    const startMs = clock.monotonic();
    const endMs = startMs + (request.timeoutMs ?? defaultTimeoutMs);
    let from = resolveUrl(request.url);
    let answer = await ask(from, request, endMs);
    let isRedirected = false;
    for (let followed = 0; followed < maxRedirects; followed += 1) {
      const to = redirectTarget({
        from,
        method: request.method ?? 'GET',
        status: answer.status,
        location: answer.headers.location,
        hasCredentials: haveCredentials({ ...credentials(from), ...request.headers }),
        allowCrossOrigin: options.allowCrossOrigin,
      });
      if (!to) break;
      if (from.username && !to.username) {
        to.username = from.username;
        to.password = from.password;
      }
      from = to;
      isRedirected = true;
      answer = await ask(from, request, endMs);
    }
    const { status, headers, body, through } = answer;
    const tookMs = clock.monotonic() - startMs;
    return {
      status,
      headers,
      body,
      tookMs,
      from,
      ...(through && { through }),
      ...(haveCredentials({ ...credentials(from), ...request.headers }) && { hadCredentials: true as const }),
      ...(isRedirected ? { redirectedTo: withoutCredentials(from).href } : {}),
    };
  };

  return {
    get certificateExpiresMs() {
      return certificateExpiresMs;
    },
    request: async (request) => {
      const { from: _, ...response } = await answerTo(request);
      return response;
    },
    json: async (request, schema) => {
      const answer = await answerTo(request);
      requireSuccess(who, answer.from, answer);
      return readJson(who, answer.from, answer.body, schema);
    },
    text: async (request) => {
      const answer = await answerTo(request);
      requireSuccess(who, answer.from, answer);
      return answer.body;
    },
    close: () => {
      isClosed = true;
      for (const end of [...activeRequests]) end(closedHere());
      agents.plain.destroy();
      agents.secure.destroy();
      for (const tunnel of tunnels.values()) tunnel.destroy();
    },
  };
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

function basicHeader(user: string, password: string): Record<string, string> {
  return { Authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}` };
}
