import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Ports outside of the range of which the system takes those of outgoing connections (32768 to 60999 on Linux): another
 * program may get one of these between the look and the listener.
 */
const firstPort = 20_000;
const ports = 12_000;

/** A port of 127.0.0.1 that is free for TCP and UDP: viewers elsewhere on the machine use many UDP ports. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = firstPort + Math.floor(Math.random() * ports);
    if ((await hasNoListener(port)) && (await hasNoDatagrams(port))) return port;
  }
}

/** Different ones. */
export async function freePorts(count: number): Promise<readonly number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function hasNoListener(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  await new Promise((resolve) => server.close(resolve));
  return true;
}

function hasNoDatagrams(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', () => resolve(false));
    socket.bind(port, () => socket.close(() => resolve(true)));
  });
}
