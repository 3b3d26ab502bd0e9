import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { afterEach, expect, it } from 'vitest';
import { turnAddress } from '../../domain/model/turn';
import { systemClock } from '../base/clock';
import { respondsAsTurn } from './turnProbe';

let server: Socket | undefined;
afterEach(() => server?.close());

/** A UDP server that responds as asked; the port. */
async function serve(respond: (request: Buffer) => Buffer | undefined): Promise<number> {
  const socket = createSocket('udp4');
  server = socket;
  socket.on('message', (request, { port, address }) => {
    const response = respond(request);
    if (response) socket.send(response, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return socket.address().port;
}

const probe = (address: string): Promise<boolean> => {
  const server = turnAddress(address);
  if (!server) throw new Error(address);
  return respondsAsTurn(server, systemClock, 300);
};

it('responds to a STUN binding request with its transaction', async () => {
  const port = await serve((request) => {
    expect(request.subarray(0, 8).toString('hex')).toBe('000100002112a442');
    return Buffer.concat([Buffer.from([1, 1, 0, 0]), request.subarray(4, 20)]);
  });
  expect(await probe(`turn:127.0.0.1:${port}`)).toBe(true);
});

it('does not take another response or silence for a TURN server', async () => {
  const port = await serve((request) => Buffer.concat([request.subarray(0, 8), Buffer.alloc(12)]));
  expect(await probe(`turn:127.0.0.1:${port}`)).toBe(false);
  expect(await probe(`turn:127.0.0.1:${port}?transport=tcp`)).toBe(false);
});
