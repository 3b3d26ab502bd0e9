import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import WebSocket from 'ws';
import { until } from '../../../tests/support/until';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { systemClock } from '../base/clock';
import { ClockPageServer } from './clockPageServer';

const loopback = { address: '127.0.0.1', port: 0 } as const;
const servers: ClockPageServer[] = [];
afterEach(() => Promise.all(servers.splice(0).map((each) => each.stop())));

function serverWith(clock = systemClock): ClockPageServer {
  const server = new ClockPageServer(clock);
  servers.push(server);
  return server;
}

const isListening = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname);
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });

it('leaves nothing that listens after the last stop, whatever was started at once', async () => {
  const server = serverWith();
  const [first, second] = await Promise.all([server.start(loopback), server.start(loopback)]);
  expect(await isListening(first.urls[0]!)).toBe(false);
  expect(await isListening(second.urls[0]!)).toBe(true);
  const [third, stopped] = await Promise.all([server.start(loopback), server.stop()]);
  expect(stopped.urls).toEqual([]);
  for (const { urls } of [first, second, third]) expect(await isListening(urls[0]!)).toBe(false);
});

it('serves again after it could not listen', async () => {
  const server = serverWith();
  await expect(server.start({ address: '192.0.2.1', port: 0 })).rejects.toThrow('not an address of this machine');
  expect((await server.start(loopback)).urls).toHaveLength(1);
});

it('ends silent pages, so that they keep no other one out', async () => {
  const time = new VirtualTime();
  const server = serverWith(time.clock);
  const { urls } = await server.start(loopback);
  const opened = async (): Promise<WebSocket> => {
    const socket = new WebSocket(`${urls[0]!.replace('http', 'ws')}clock`, { origin: new URL(urls[0]!).origin });
    await once(socket, 'open');
    return socket;
  };
  const all = await Promise.all(Array.from({ length: 8 }, opened));
  await expect(opened()).rejects.toThrow();
  let answers = 0;
  all[0]!.on('message', () => (answers += 1));
  for (let asked = 1; asked <= 4; asked += 1) {
    all[0]!.send('{"kind":"time","id":1}');
    await until(() => answers >= asked);
    await time.pass(3000);
  }
  expect(await until(() => all.filter(({ readyState }) => readyState === WebSocket.CLOSED).length === 7)).toBe(true);
  expect(all[0]!.readyState).toBe(WebSocket.OPEN);
  const further = await opened();
  for (const socket of [...all, further]) socket.terminate();
});
