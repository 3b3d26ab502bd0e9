import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port of 127.0.0.1 that is free for TCP and UDP: viewers elsewhere on the machine use many UDP ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const isFree = await hasNoDatagrams(port);
    await new Promise((resolve) => server.close(resolve));
    if (isFree) return port;
  }
}

function hasNoDatagrams(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, () => socket.close(() => resolve(true)));
  });
}
