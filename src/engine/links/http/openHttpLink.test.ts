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

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering = (answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<string> =>
  listening(createPlainServer(answer));
const saying = (talk: (socket: Socket) => void): Promise<string> =>
  listening(
    createServer((socket) => void socket.on('error', () => undefined).once('data', () => talk(socket))),
  );

function linkTo(base: string, over: Partial<HttpLinkOptions> = {}): HttpLink {
  const link = openHttpLink({ who: 'Edge 1', base, ...over });
  ends.push(() => link.close());
  return link;
}

it('asks relative to its base, without asking for gzip, and takes any status as an answer', async () => {
  const base = await answering((request, response) =>
    response.writeHead(404).end(`${request.url ?? ''} ${request.headers['accept-encoding'] ?? 'plain'}`),
  );
  const answer = await linkTo(base).request({ url: '/api/v1?x=1' });
  expect(answer).toMatchObject({ status: 404, body: '/api/v1?x=1 plain' });
  expect(answer.tookMs).toBeGreaterThan(0);
});

it('keeps one connection for the next question', async () => {
  const ports = new Set<number | undefined>();
  const link = linkTo(
    await answering((request, response) => {
      ports.add(request.socket.remotePort);
      response.end('ok');
    }),
  );
  for (let index = 0; index < 3; index += 1) await link.text({ url: '/' });
  expect(ports.size).toBe(1);
});

describe('a kept connection that the server closes as the next question comes', () => {
  // The first question of each connection is answered; the second makes the server hang up, as at the end of a keep-alive time.
  const forgetful = (asked: string[]): Promise<string> =>
    listening(
      createServer((socket) => {
        let questions = 0;
        socket
          .on('error', () => undefined)
          .on('data', (data) => {
            asked.push(String(data).split(' ')[0] ?? '');
            questions += 1;
            if (questions > 1) socket.destroy();
            else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok');
          });
      }),
    );

  it('is asked again for GET', async () => {
    const asked: string[] = [];
    const link = linkTo(await forgetful(asked));
    expect(await link.text({ url: '/' })).toBe('ok');
    expect(await link.text({ url: '/' })).toBe('ok');
    expect(asked).toEqual(['GET', 'GET', 'GET']);
  });

  it('is not asked again for DELETE', async () => {
    const asked: string[] = [];
    const link = linkTo(await forgetful(asked));
    await link.text({ url: '/' });
    await expect(link.request({ method: 'DELETE', url: '/clients/7' })).rejects.toMatchObject({
      code: 'closed',
      message: expect.stringContaining('without an answer') as string,
    });
    expect(asked).toEqual(['GET', 'DELETE']);
  });
});

describe('no answer', () => {
  const asking = (base: string, over = {}): Promise<unknown> =>
    linkTo(base).request({ url: '/stat', ...over });

  it('refused', async () => {
    await expect(asking('http://127.0.0.1:1')).rejects.toMatchObject({
      code: 'refused',
      message: 'Edge 1: nothing listens at http://127.0.0.1:1; check the port, and that the server runs.',
    });
  });

  it('no such host', async () => {
    await expect(asking('http://no-such-host.invalid')).rejects.toMatchObject({
      code: 'no-such-host',
      message: expect.stringMatching(/^Edge 1: .*"no-such-host\.invalid"/) as string,
    });
  });

  it('never', async () => {
    const base = await saying(() => undefined);
    await expect(asking(base, { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'timeout',
      message: `Edge 1: ${base}/stat does not answer within 0.15 s.`,
    });
  });

  it('half of it, and then never', async () => {
    const base = await saying(
      (socket) => void socket.write('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"a"'),
    );
    await expect(asking(base, { timeoutMs: 150 })).rejects.toMatchObject({
      code: 'timeout',
      message: `Edge 1: ${base}/stat does not finish its answer within 0.15 s.`,
    });
  });

  it('half of it, and then closed', async () => {
    const base = await saying(
      (socket) => void socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{"a"'),
    );
    await expect(asking(base)).rejects.toMatchObject({
      code: 'closed',
      message: `Edge 1: ${base}/stat closed the connection in the middle of its answer.`,
    });
  });

  it('closed at once, as SRS does on a bad offer', async () => {
    const base = await saying((socket) => void socket.end());
    await expect(asking(base)).rejects.toMatchObject({
      code: 'closed',
      message: `Edge 1: ${base}/stat closed the connection without an answer.`,
    });
  });

  it('something else than HTTP', async () => {
    const base = await saying((socket) => void socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    await expect(asking(base)).rejects.toMatchObject({ code: 'not-http' });
  });

  it('10 MB of garbage', async () => {
    let sent = 0;
    const base = await answering((_, response) => {
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
    await expect(asking(base, { mostBytes: 1_000_000 })).rejects.toMatchObject({
      code: 'too-long',
      message: `Edge 1: ${base}/stat answers with more than 1,000,000 bytes, which can't be what was asked for; check the address.`,
    });
    expect(sent).toBeLessThan(10_000_000);
  });

  it('TLS where there is none', async () => {
    const base = await saying((socket) => void socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await expect(asking(base.replace('http:', 'https:'))).rejects.toMatchObject({
      code: 'tls',
      message: expect.stringContaining('type http:// in place of https://') as string,
    });
  });

  it('an address that is none, without showing it', async () => {
    await expect(linkTo('rtmp://user:secret@host/live').request({ url: '' })).rejects.toMatchObject({
      code: 'bad-address',
      message: expect.not.stringContaining('secret') as string,
    });
  });
});

it('takes the beginning of an answer that never ends', async () => {
  let isGone: () => void = () => undefined;
  const gone = new Promise<void>((resolve) => (isGone = resolve));
  const base = await answering((request, response) => {
    request.socket.on('close', isGone);
    response.write('FLV\u0001\u0005');
  });
  expect(await linkTo(base).request({ url: '/live/cam.flv', firstBytes: 3 })).toMatchObject({
    status: 200,
    body: 'FLV\u0001\u0005',
  });
  await gone;
});

it('keeps each byte as it is where that is asked for', async () => {
  const bytes = Buffer.from([0x47, 0x00, 0xff, 0xc3, 0xa9]);
  const link = linkTo(await answering((_, response) => response.end(bytes)));
  expect(Buffer.from(await link.text({ url: '/', encoding: 'latin1' }), 'latin1')).toEqual(bytes);
});

it('ends with the signal, and with the link', async () => {
  const base = await saying(() => undefined);
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
  const told = (request: IncomingMessage, response: ServerResponse): void => {
    response.end(request.headers.authorization ?? 'none');
  };

  it('go to the own host, whatever the port', async () => {
    const [api, exporter] = [await answering(told), await answering(told)];
    const link = linkTo(api, { basic });
    const expected = `Basic ${Buffer.from('ops:pässword').toString('base64')}`;
    expect(await link.text({ url: '/' })).toBe(expected);
    expect(await link.text({ url: exporter })).toBe(expected);
  });

  it('go to no other host, nor with a redirect', async () => {
    const other = (await answering(told)).replace('127.0.0.1', 'localhost');
    const api = await answering((_, response) => response.writeHead(302, { Location: other }).end());
    const link = linkTo(api, { basic });
    expect(await link.text({ url: other })).toBe('none');
    await expect(link.text({ url: '/' })).rejects.toMatchObject({
      code: 'http-302',
      message: `Edge 1: ${api} answers HTTP 302; it redirects to another origin, ${other}, and is not followed there; enter that address at the node, or set allowCrossOrigin: true on it.`,
    });
  });

  it('in the address are used and never shown', async () => {
    const base = await answering((request, response) =>
      response.writeHead(request.url === '/no' ? 401 : 200).end(request.headers.authorization ?? 'none'),
    );
    const address = base.replace('http://', 'http://me:secret@');
    expect(await linkTo(address).text({ url: address })).toBe(
      `Basic ${Buffer.from('me:secret').toString('base64')}`,
    );
    await expect(linkTo(address).text({ url: `${address}/no` })).rejects.toMatchObject({
      code: 'http-401',
      message: `Edge 1: ${base}/no answers HTTP 401; it wants a user and a password.`,
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
    const link = linkTo(await answering(hops));
    expect(await link.text({ url: '/3' })).toBe('there');
    expect(await link.request({ url: '/4' })).toMatchObject({ status: 302 });
  });

  it('are not followed for POST', async () => {
    expect(
      await linkTo(await answering(hops)).request({ method: 'POST', url: '/1', body: 'x' }),
    ).toMatchObject({
      status: 302,
    });
  });
});

describe('JSON', () => {
  const schema = z.object({ code: z.number() });
  const reading = async (body: string, status = 200): Promise<{ code: number }> =>
    linkTo(await answering((_, response) => response.writeHead(status).end(body))).json(
      { url: '/api' },
      schema,
    );

  it('is read and checked, unknown fields left alone', async () => {
    expect(await reading('\uFEFF{"code":0,"new":1}')).toEqual({ code: 0 });
  });

  it.each([
    ['<!DOCTYPE html><html></html>', 'an HTML page'],
    ['<?xml version="1.0"?><rtmp/>', 'XML'],
    ['{"code":0,"da', 'a JSON that is broken or breaks off'],
    ['', 'nothing'],
    ['It works!', '"It works!"'],
  ])('%j is told', async (body, told) => {
    await expect(reading(body)).rejects.toMatchObject({
      code: 'not-json',
      message: expect.stringContaining(`answers with ${told} where JSON is expected`) as string,
    });
  });

  it('says what does not fit', async () => {
    await expect(reading('{"code":"0"}')).rejects.toMatchObject({
      code: 'bad-answer',
      message: expect.stringContaining('(code: ') as string,
    });
  });

  it('is not looked for in an error page', async () => {
    await expect(reading('{"code":0}', 503)).rejects.toMatchObject({
      code: 'http-503',
      message: expect.stringContaining('the server itself is in trouble') as string,
    });
  });
});
