import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { startHttpProxy, type HttpProxy } from '../../../../tests/standins/httpProxy';
import { deleteSession, postOffer } from '../../servers/signalling';
import { proxyVariables } from '../../base/variables';
import { SecretBox } from '../../secrets/secretBox';
import { openHttpLink } from './openHttpLink';
import { proxyFor } from './proxyChoice';
import { webSocketAgent } from './proxyTunnel';

const undo: Array<() => unknown> = [];
beforeEach(() => {
  for (const name of proxyVariables) vi.stubEnv(name, '');
});
afterEach(async () => {
  vi.unstubAllEnvs();
  for (const each of undo.splice(0).reverse()) await each();
});

const key = execFileSync(
  'openssl',
  'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout - -subj /CN=media.test -days 2'.split(' '),
  { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
);

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  undo.push(() => new Promise((resolve) => server.close(resolve)));
  return (server.address() as AddressInfo).port;
}

const echo = (request: IncomingMessage, response: ServerResponse): void => {
  let body = '';
  request.on('data', (chunk) => (body += String(chunk)));
  request.on('end', () => {
    const { method, url, headers } = request;
    response.setHeader('Location', '/session');
    response.writeHead(method === 'POST' ? 201 : Number(/\d{3}/.exec(url ?? '')?.[0] ?? 200));
    response.end(JSON.stringify({ method, url, body, host: headers.host, login: headers['proxy-authorization'] }));
  });
};
const plain = async (): Promise<string> => `http://media.test:${await listening(createServer(echo))}`;
const secure = async (): Promise<string> =>
  `https://media.test:${await listening(createSecureServer({ key, cert: key }, echo))}`;
async function proxy(options: Parameters<typeof startHttpProxy>[0] = {}): Promise<HttpProxy> {
  const started = await startHttpProxy(options);
  undo.push(started.close);
  return started;
}
function link(setting?: string): ReturnType<typeof openHttpLink> {
  const opened = openHttpLink({
    who: 'edge',
    acceptSelfSigned: true,
    ...(setting !== undefined && { proxy: setting }),
  });
  undo.push(opened.close);
  return opened;
}
async function failure(doing: Promise<unknown>): Promise<string> {
  return doing.then(
    () => 'It succeeded.',
    (error: Error) => error.message,
  );
}

describe('hosts without a proxy', () => {
  interface Rules {
    readonly proxy: string;
    readonly cases: ReadonlyArray<{ noProxy: string; direct: string[]; proxied: string[] }>;
  }
  const rules = JSON.parse(readFileSync(join(__dirname, '../../../../tests/fixtures/no-proxy.json'), 'utf8')) as Rules;

  it.each(rules.cases)('no_proxy=$noProxy', ({ noProxy, direct, proxied }) => {
    for (const name of ['http_proxy', 'https_proxy']) vi.stubEnv(name, rules.proxy);
    vi.stubEnv('NO_PROXY', noProxy);
    const of = (address: string): unknown => proxyFor(new URL(address), undefined, 'edge')?.host;
    expect(direct.filter((address) => of(address) !== undefined)).toEqual([]);
    expect(proxied.filter((address) => of(address) !== '10.9.9.9')).toEqual([]);
  });
});

it('a proxy is that of the setting, else of the variables in lower case, upper case, for all', () => {
  const name = (address: string, setting?: string): string | undefined =>
    proxyFor(new URL(address), setting, 'edge')?.name;
  vi.stubEnv('ALL_PROXY', 'all:1');
  expect(name('wss://media.test')).toBe('the proxy all:1 (the variable ALL_PROXY)');
  vi.stubEnv('HTTPS_PROXY', 'http://u:secret@upper:2');
  expect(name('https://media.test')).toBe('the proxy upper:2 (the variable HTTPS_PROXY)');
  vi.stubEnv('https_proxy', 'http://lower');
  expect(name('https://media.test')).toBe('the proxy lower (the variable https_proxy)');
  expect(name('ws://media.test')).toBe('the proxy all:1 (the variable ALL_PROXY)');
  vi.stubEnv('no_proxy', '*');
  expect(name('https://media.test')).toBeUndefined();
  expect(name('https://media.test', 'http://own:3')).toBe('the proxy own:3 (the setting proxy of edge)');
  vi.stubEnv('no_proxy', '');
  expect(name('https://media.test', 'none')).toBeUndefined();
  for (const wrong of ['socks5://u:secret@a:1', 'https://a', 'http://', ''])
    if (wrong) expect(() => name('http://media.test', wrong)).toThrow(/^edge: the setting proxy of edge is not .*\.$/);
  expect(() => name('http://media.test', 'socks5://u:secret@a:1')).not.toThrow(/secret/);
});

describe('HTTP', () => {
  it('without TLS names the whole address, with the login for the proxy only', async () => {
    const through = await proxy({ login: 'qa:p@ss w%' });
    const origin = await plain();
    vi.stubEnv('http_proxy', through.url);
    const opened = link();
    for (let count = 0; count < 2; count += 1)
      expect(JSON.parse((await opened.request({ url: `${origin}/api?a=b` })).body)).toEqual({
        ...{ method: 'GET', url: '/api?a=b', body: '', host: new URL(origin).host },
      });
    expect(through.seen).toEqual([`GET ${origin}/api?a=b`, `GET ${origin}/api?a=b`]);
  });

  it('with TLS goes through a tunnel, which is kept', async () => {
    const through = await proxy({ login: 'qa:secret' });
    const origin = await secure();
    const opened = link(through.url);
    for (let count = 0; count < 2; count += 1)
      expect(JSON.parse((await opened.request({ url: `${origin}/api` })).body)).not.toHaveProperty('login');
    expect(through.seen).toEqual([`CONNECT ${new URL(origin).host}`]);
    await opened.request({ url: origin, stream: { begin: () => undefined, data: () => undefined } });
    expect(through.seen).toHaveLength(2);
  });

  it('never goes through a proxy to loopback', async () => {
    vi.stubEnv('http_proxy', 'http://127.0.0.1:1');
    const { port } = new URL(await plain());
    expect((await link().request({ url: `http://127.0.0.1:${port}/` })).status).toBe(200);
  });

  it.each(['http', 'https'])('%s: a proxy that refuses is named with its source', async (scheme) => {
    const origin = await (scheme === 'http' ? plain() : secure());
    const variable = `${scheme}_proxy`;
    const guarded = await proxy({ login: 'qa:secret' });
    vi.stubEnv(variable, guarded.url.replace('secret', 'wrong-password'));
    const answer = failure(link().request({ url: `${origin}/api` }));
    expect(await answer).toMatch(
      new RegExp(
        `^edge: the proxy ${guarded.address} \\(the variable ${variable}\\) refused .* with HTTP 407: it requires a user and a password`,
      ),
    );
    expect(await answer).not.toContain('wrong-password');
    vi.stubEnv(variable, 'http://127.0.0.1:1');
    expect(await failure(link().request({ url: `${origin}/api` }))).toBe(
      `edge: the proxy 127.0.0.1:1 (the variable ${variable}) refused the connection. Check its address, or exclude the host (no_proxy, or proxy: none for the node).`,
    );
    const closed = await proxy({ refuseWith: 403 });
    const refused = await failure(link(closed.url).text({ url: `${origin}/api` }));
    expect(refused).toContain(`the proxy ${closed.address} (the setting proxy of edge)`);
    expect(refused).toContain('HTTP 403');
  });
});

it.each([plain, secure])('signalling goes through the proxy', async (start) => {
  const through = await proxy();
  const origin = await start();
  const options = { who: 'edge', acceptSelfSigned: true, proxy: through.url };
  const { answerSdp, resourceUrl } = await postOffer(`${origin}/whep`, 'v=0', options);
  expect(JSON.parse(answerSdp)).toMatchObject({ method: 'POST', url: '/whep', body: 'v=0' });
  await deleteSession(resourceUrl, options);
  expect(through.seen).toHaveLength(2);
  expect(await failure(postOffer(`${origin}/whep`, 'v=0', { ...options, proxy: 'http://127.0.0.1:1' }))).toContain(
    'edge: the proxy 127.0.0.1:1 (the setting proxy of edge) refused the connection',
  );
});

it.each(['ws', 'wss'])('%s goes through a tunnel', async (scheme) => {
  const through = await proxy();
  const server = scheme === 'ws' ? createServer() : createSecureServer({ key, cert: key });
  new WebSocketServer({ server }).on('connection', (socket) => {
    socket.on('message', (data: Buffer) => socket.send(data.toString()));
  });
  const url = new URL(`${scheme}://media.test:${await listening(server)}/live`);
  const socket = new WebSocket(url, { agent: webSocketAgent(url, through.url, 'edge'), rejectUnauthorized: false });
  const received = new Promise((resolve, reject) => {
    socket.on('open', () => socket.send('hello'));
    socket.on('message', (data: Buffer) => resolve(data.toString()));
    socket.on('error', reject);
  });
  expect(await received).toBe('hello');
  socket.terminate();
  expect(through.seen).toEqual([`CONNECT ${url.host}`]);
});

it('the password of a proxy is masked wherever it is printed', () => {
  const { mask } = new SecretBox({
    https_proxy: 'http://qa:hunter%4022@proxy:3128',
    ALL_PROXY: 'qa:other-secret@proxy',
  });
  expect(mask.text('one hunter@22 two other-secret')).not.toMatch(/hunter|other-secret/);
});
