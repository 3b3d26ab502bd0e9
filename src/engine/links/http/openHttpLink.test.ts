import { createServer as createPlainServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { HttpLink, HttpLinkOptions } from './httpLink';
import { openHttpLink } from './openHttpLink';

const ends: Array<() => void> = [];
afterEach(() => {
  for (const end of ends.splice(0).reverse()) end();
});

async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const respondingServer = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  listen(createPlainServer(answer));
const rawServer = (talk: (socket: Socket) => void): Promise<string> =>
  listen(createServer((socket) => void socket.on('error', () => undefined).once('data', () => talk(socket))));

function linkTo(base: string, over: Partial<HttpLinkOptions> = {}): HttpLink {
  const link = openHttpLink({ who: 'Edge 1', base, ...over });
  ends.push(() => link.close());
  return link;
}

it('resolves URLs against its base, requests no gzip, and returns any status as a response', async () => {
  const base = await respondingServer((request, response) =>
    response.writeHead(404).end(`${request.url ?? ''} ${request.headers['accept-encoding'] ?? 'plain'}`),
  );
  const answer = await linkTo(base).request({ url: '/api/v1?x=1' });
  expect(answer).toMatchObject({ status: 404, body: '/api/v1?x=1 plain' });
  expect(answer.tookMs).toBeGreaterThan(0);
});

it('sends the login of an address, in which a per cent sign may be literal', async () => {
  const base = await respondingServer((request, response) => response.end(request.headers.authorization));
  const url = base.replace('://', '://qa:100%@');
  const login = Buffer.from('qa:100%').toString('base64');
  expect(await linkTo(base).request({ url })).toMatchObject({ body: `Basic ${login}` });
});

it('streams a body, of a redirect that of its target', async () => {
  const base = await respondingServer((request, response) => {
    if (request.url === '/old') return response.writeHead(302, { Location: '/new' }).end('moved');
    return response.writeHead(206).end('media');
  });
  const received: (number | string)[] = [];
  const stream = {
    begin: (status: number) => received.push(status),
    data: (chunk: Buffer) => received.push(chunk.toString()),
  };
  expect(await linkTo(base).request({ url: '/old', stream })).toMatchObject({ status: 206, body: '' });
  expect(received).toEqual([206, 'media']);
});

it('reuses one connection for the next request', async () => {
  const ports = new Set<number | undefined>();
  const link = linkTo(
    await respondingServer((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    }),
  );
  for (let index = 0; index < 3; index += 1) await link.text({ url: '/' });
  expect(ports.size).toBe(1);
});

describe('a kept-alive connection that the server closes at the next request', () => {
  // The first request of each connection is answered; at the second the server closes it, as at a keep-alive timeout.
  const forgetful = (requests: string[]): Promise<string> =>
    listen(
      createServer((socket) => {
        let questions = 0;
        socket
          .on('error', () => undefined)
          .on('data', (data) => {
            requests.push(String(data).split(' ')[0] ?? '');
            questions += 1;
            if (questions > 1) socket.destroy();
            else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
          });
      }),
    );

  it('is retried for GET', async () => {
    const requests: string[] = [];
    const link = linkTo(await forgetful(requests));
    expect(await link.text({ url: '/' })).toBe('ok');
    expect(await link.text({ url: '/' })).toBe('ok');
    expect(requests).toEqual(['GET', 'GET', 'GET']);
  });

  it('is not retried for DELETE', async () => {
    const requests: string[] = [];
    const link = linkTo(await forgetful(requests));
    await link.text({ url: '/' });
    await expect(link.request({ method: 'DELETE', url: '/clients/7' })).rejects.toMatchObject({
      code: 'closed',
      message: expect.stringContaining('without a response') as string,
    });
    expect(requests).toEqual(['GET', 'DELETE']);
  });
});

describe('no response', () => {
  const requestTo = (base: string, over = {}): Promise<unknown> => linkTo(base).request({ url: '/stat', ...over });

  it('refused', async () => {
    await expect(requestTo('http://127.0.0.1:1')).rejects.toMatchObject({
      code: 'refused',
      message: 'Edge 1: nothing listens at http://127.0.0.1:1; check the port and that the server is running.',
    });
  });

  it('no such host', async () => {
    await expect(requestTo('http://no-such-host.invalid')).rejects.toMatchObject({
      code: 'no-such-host',
      message: expect.stringMatching(/^Edge 1: .*"no-such-host\.invalid"/) as string,
    });
  });

  it('never', async () => {
    const base = await rawServer(() => undefined);
    await expect(requestTo(base, { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'timeout',
      message: `Edge 1: ${base}/stat did not respond within 0.15 s.`,
    });
  });

  it('half of it, then a timeout', async () => {
    const base = await rawServer((socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"a"'));
    await expect(requestTo(base, { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'timeout',
      message: `Edge 1: ${base}/stat did not complete its response within 0.15 s.`,
    });
  });

  it('half of it, then closed', async () => {
    const base = await rawServer((socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"a"'));
    await expect(requestTo(base)).rejects.toMatchObject({
      code: 'closed',
      message: `Edge 1: ${base}/stat closed the connection in the middle of its response.`,
    });
  });

  it('closed at once, as SRS does on a bad offer', async () => {
    const base = await rawServer((socket) => void socket.end());
    await expect(requestTo(base)).rejects.toMatchObject({
      code: 'closed',
      message: `Edge 1: ${base}/stat closed the connection without a response.`,
    });
  });

  it('not HTTP', async () => {
    const base = await rawServer((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await expect(requestTo(base)).rejects.toMatchObject({ code: 'not-http' });
  });

  it('10 MB of garbage', async () => {
    let sent = 0;
    const base = await respondingServer((_, response) => {
      const chunk = Buffer.alloc(100_000, 0x7a);
      const more = (): void => {
        while (sent < 10_000_000) {
          sent += chunk.length;
          if (!response.write(chunk)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    });
    await expect(requestTo(base, { maxBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'too-long',
      message: `Edge 1: ${base}/stat returned more than 1,000,000 bytes; check the address.`,
    });
    expect(sent).toBeLessThan(10_000_000);
  });

  it('TLS to a server without TLS', async () => {
    const base = await rawServer((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(requestTo(base.replace('http:', 'https:'))).rejects.toMatchObject({
      code: 'tls',
      message: expect.stringContaining('use http:// instead of https://') as string,
    });
  });

  it('an invalid address, without showing it', async () => {
    await expect(linkTo('rtmp://user:secret@host/live').request({ url: '' })).rejects.toMatchObject({
      code: 'bad-address',
      message: expect.not.stringContaining('secret') as string,
    });
  });
});

it('reads the start of an endless response', async () => {
  let isGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (isGone = resolve));
  const base = await respondingServer((request, response) => {
    request.socket.on('close', isGone);
    response.write('FLV\u0001\u0005');
  });
  expect(await linkTo(base).request({ url: '/live/cam.flv', firstBytes: 3 })).toMatchObject({
    status: 200,
    body: 'FLV\u0001\u0005',
  });
  await gone;
  // Fewer, if no more arrive in time.
  expect(await linkTo(base).request({ url: '/live/cam.flv', firstBytes: 1000, timeoutMs: 200 })).toMatchObject({
    body: 'FLV\u0001\u0005',
  });
});

it('keeps each byte with latin1', async () => {
  const bytes = Buffer.from([0x47, 0x00, 0xff, 0xc3, 0xa9]);
  const link = linkTo(await respondingServer((_, response) => response.end(bytes)));
  expect(Buffer.from(await link.text({ url: '/', encoding: 'latin1' }), 'latin1')).toEqual(bytes);
});

it('is cancelled by the signal and by closing the link', async () => {
  const base = await rawServer(() => undefined);
  const link = linkTo(base);
  const abort = new AbortController();
  const called = link.request({ url: '/a', signal: abort.signal });
  abort.abort();
  await expect(called).rejects.toMatchObject({ code: 'aborted' });
  const open = link.request({ url: '/b' });
  link.close();
  await expect(open).rejects.toMatchObject({ code: 'aborted' });
  await expect(link.request({ url: '/c' })).rejects.toMatchObject({ code: 'aborted' });
});

describe('credentials', () => {
  const basic = { user: 'ops', password: 'pässword' };
  const record = (request: IncomingMessage, response: ServerResponse): void => {
    response.end(request.headers.authorization ?? 'none');
  };

  it("go to the node's host on any port", async () => {
    const [api, exporter] = [await respondingServer(record), await respondingServer(record)];
    const link = linkTo(api, { basic });
    const expected = `Basic ${Buffer.from('ops:pässword').toString('base64')}`;
    expect(await link.text({ url: '/' })).toBe(expected);
    expect(await link.text({ url: exporter })).toBe(expected);
  });

  it('go to no other host, also not with a redirect', async () => {
    const other = (await respondingServer(record)).replace('127.0.0.1', 'localhost');
    const api = await respondingServer((_, response) => response.writeHead(302, { Location: other }).end());
    const link = linkTo(api, { basic });
    expect(await link.text({ url: other })).toBe('none');
    await expect(link.text({ url: '/' })).rejects.toMatchObject({
      code: 'http-302',
      message: `Edge 1: ${api} returned HTTP 302; its redirect to another origin, ${other}, is not followed; enter that address for the node, or, if it needs no login, set allowCrossOrigin: true on it.`,
    });
  });

  it('go where the link is told', async () => {
    const [own, other] = [await respondingServer(record), await respondingServer(record)];
    const link = linkTo(own, { basic, credentialsFor: ({ origin }) => origin === other });
    expect(await link.text({ url: own })).toBe('none');
    expect(await link.text({ url: other })).not.toBe('none');
  });

  it.each([
    ['a login', { basic }, {}],
    ['a token', {}, { Authorization: 'Bearer planted' }],
    ['a cookie', {}, { cookie: 'session=planted' }],
    ['a key', {}, { 'X-API-Key': 'planted' }],
  ])('follow no redirect to another port of the host, also where that is allowed: %s', async (_, over, headers) => {
    const received: unknown[] = [];
    const other = await respondingServer((request, response) => {
      received.push(request.headers);
      response.end('there');
    });
    const api = await respondingServer((_request, response) => response.writeHead(307, { Location: other }).end());
    for (const allowCrossOrigin of [false, true])
      for (const request of [
        { url: '/', headers },
        { url: '/', headers, method: 'POST' as const, body: 'x' },
      ])
        expect(await linkTo(api, { ...over, allowCrossOrigin }).request(request)).toMatchObject({ status: 307 });
    const withUser = api.replace('http://', 'http://me:planted@');
    expect(await linkTo(api, { allowCrossOrigin: true }).request({ url: withUser })).toMatchObject({ status: 307 });
    expect(received).toEqual([]);
    expect(await linkTo(api, { allowCrossOrigin: true }).text({ url: '/' })).toBe('there');
  });

  it('in the address are used and never shown', async () => {
    const base = await respondingServer((request, response) =>
      response.writeHead(request.url === '/no' ? 401 : 200).end(request.headers.authorization ?? 'none'),
    );
    const address = base.replace('http://', 'http://me:secret@');
    expect(await linkTo(address).text({ url: address })).toBe(`Basic ${Buffer.from('me:secret').toString('base64')}`);
    await expect(linkTo(address).text({ url: `${address}/no` })).rejects.toMatchObject({
      code: 'http-401',
      message: `Edge 1: ${base}/no returned HTTP 401; the credentials were refused.`,
    });
  });
});

describe('redirects', () => {
  const hops = (request: IncomingMessage, response: ServerResponse): void => {
    const left = Number(request.url?.slice(1));
    if (left === 0) response.end('there');
    else response.writeHead(302, { Location: `/${left - 1}` }).end();
  };

  it('are followed three times', async () => {
    const link = linkTo(await respondingServer(hops));
    expect(await link.text({ url: '/3' })).toBe('there');
    expect(await link.request({ url: '/4' })).toMatchObject({ status: 302 });
  });

  it('are reported with the address that responded, without credentials', async () => {
    const base = await respondingServer(hops);
    const link = linkTo(base);
    const { host } = new URL(base);
    expect((await link.request({ url: `http://me:secret@${host}/2` })).redirectedTo).toBe(`http://${host}/0`);
    expect(await link.request({ url: '/0' })).not.toHaveProperty('redirectedTo');
  });

  it('are not followed for POST', async () => {
    expect(await linkTo(await respondingServer(hops)).request({ method: 'POST', url: '/1', body: 'x' })).toMatchObject({
      status: 302,
    });
  });
});

describe('JSON', () => {
  const schema = z.object({ code: z.number() });
  const reading = async (body: string, status = 200): Promise<{ code: number }> =>
    linkTo(await respondingServer((_, response) => response.writeHead(status).end(body))).json({ url: '/api' }, schema);

  it('is parsed and validated, with unknown fields kept', async () => {
    expect(await reading('\uFEFF{"code":0,"new":1}')).toEqual({ code: 0 });
  });

  it.each([
    ['<!DOCTYPE html><html></html>', 'an HTML page'],
    ['<?xml version="1.0"?><rtmp/>', 'XML'],
    ['{"code":0,"da', 'invalid or incomplete JSON'],
    ['', 'an empty response'],
    ['It works!', '"It works!"'],
  ])('%j is described', async (body, description) => {
    await expect(reading(body)).rejects.toMatchObject({
      code: 'not-json',
      message: expect.stringContaining(`returned ${description} instead of JSON`) as string,
    });
  });

  it('names the invalid field', async () => {
    await expect(reading('{"code":"0"}')).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('(code: ') as string,
    });
  });

  it('is not parsed from an error page', async () => {
    await expect(reading('{"code":0}', 503)).rejects.toMatchObject({
      code: 'http-503',
      message: expect.stringContaining('server error') as string,
    });
  });
});
