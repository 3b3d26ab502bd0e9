import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { systemClock } from '../base/clock';
import { respondsAsMedia } from './mediaPortProbe';

const closing: Array<{ close: () => unknown }> = [];
afterEach(() => closing.splice(0).forEach((each) => each.close()));

const probe = (address: string): Promise<boolean> => respondsAsMedia(new URL(address), systemClock, 300);

/** A TCP server with one response to the first request. */
async function overTcp(response: string): Promise<number> {
  const server = createServer((socket) => socket.once('data', () => socket.end(response)));
  closing.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

it('takes what answers OPTIONS for an RTSP server, and nothing else', async () => {
  expect(await probe(`rtsp://127.0.0.1:${await overTcp('RTSP/1.0 200 OK\r\nCSeq: 1\r\n\r\n')}/cam`)).toBe(true);
  expect(await probe(`rtsp://127.0.0.1:${await overTcp('HTTP/1.1 400 Bad Request\r\n\r\n')}/cam`)).toBe(false);
  expect(await probe(`rtsps://127.0.0.1:${await overTcp('RTSP/1.0 200 OK\r\n\r\n')}/cam`)).toBe(false);
  expect(await probe('rtsp://127.0.0.1:1/cam')).toBe(false);
});

it('takes what answers an induction for an SRT server, and nothing else', async () => {
  const socket = createSocket('udp4');
  closing.push(socket);
  let response: Buffer | undefined;
  socket.on('message', (request, { port, address }) => {
    response = request.readUInt32BE(36) === 1 ? Buffer.from(request) : undefined;
    if (response) socket.send(response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  expect(await probe(`srt://127.0.0.1:${socket.address().port}?streamid=cam`)).toBe(true);
  socket.removeAllListeners('message');
  expect(await probe(`srt://127.0.0.1:${socket.address().port}`)).toBe(false);
  expect(await probe('srt://127.0.0.1')).toBe(false);
});
