import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { BoundedServer } from './boundedServer';
import { setLogTarget } from './log';

let connectionsOf: () => number;
const cleanups: Array<() => unknown> = [];
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean();
});

async function served(timeoutMs?: number): Promise<number> {
  const bounded = new BoundedServer({
    name: 'the test',
    maxWaiting: 8,
    timeoutMs,
    answer: (request, response) => {
      if (request.headers.authorization !== 'right') return bounded.refuse(response, 401);
      bounded.admit(request);
      if (request.url === '/unread') response.end(Buffer.alloc(50_000_000));
      else if (request.url === '/slow') response.write('begins');
      else response.end('served');
    },
  });
  let count = 0;
  bounded.server.on('connection', (socket) => {
    count += 1;
    socket.on('close', () => (count -= 1));
  });
  connectionsOf = () => count;
  await new Promise<void>((resolve) => bounded.server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => bounded.close());
  return (bounded.server.address() as AddressInfo).port;
}

function held(port: number, text: string, count: number): Socket[] {
  return Array.from({ length: count }, () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined);
    socket.write(text);
    socket.resume();
    cleanups.push(() => socket.destroy());
    return socket;
  });
}

const status = async (port: number): Promise<number> =>
  (await fetch(`http://127.0.0.1:${port}/`, { headers: { authorization: 'right' } })).status;
const openOf = (sockets: readonly Socket[]): number => sockets.filter((socket) => !socket.closed).length;

it.each([
  ['silent', ''],
  ['half a header', 'GET / HTTP/1.1\r\nHo'],
  ['refused', 'GET / HTTP/1.1\r\nHost: x\r\n\r\n'],
  ['a huge header', `GET / HTTP/1.1\r\nA: ${'a'.repeat(100_000)}`],
  ['half a body', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\n.'],
])('connections that stay open leave place for an allowed request: %s', async (_, text) => {
  const warned = vi.fn();
  setLogTarget({ write: warned, mask: (sentence) => sentence, limit: 'warn' });
  const port = await served(400);
  const sockets = held(port, text, 60);
  expect(await status(port)).toBe(200);
  await vi.waitFor(() => expect(openOf(sockets)).toBe(0), { timeout: 10_000 });
  expect(warned).toHaveBeenCalledWith(expect.stringContaining('connections to the test were refused'), 'warn');
});

it('keeps a connection whose request is being answered, and ends it when the response is not read', async () => {
  const port = await served(1500);
  const [slow] = held(port, 'GET /slow HTTP/1.1\r\nHost: x\r\nAuthorization: right\r\n\r\n', 1);
  const unread = connect(port, '127.0.0.1');
  cleanups.push(() => unread.destroy());
  unread.on('error', () => undefined);
  unread.write('GET /unread HTTP/1.1\r\nHost: x\r\nAuthorization: right\r\n\r\n');
  await new Promise((resolve) => slow?.once('data', resolve));
  const sockets = held(port, '', 30);
  await vi.waitFor(() => expect(openOf(sockets)).toBeLessThanOrEqual(8), { timeout: 10_000 });
  expect(slow?.closed).toBe(false);
  await vi.waitFor(() => expect(slow?.closed).toBe(true), { timeout: 10_000 });
  await vi.waitFor(() => expect(connectionsOf()).toBe(0), { timeout: 20_000 });
  unread.resume();
  await vi.waitFor(() => expect(unread.closed).toBe(true), { timeout: 10_000 });
  expect(unread.bytesRead).toBeLessThan(50_000_000);
});
