import { once } from 'node:events';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { createServer } from 'node:tls';
import type { TestCertificate } from './certificates';

export interface TlsFront {
  readonly port: number;
  end(): Promise<void>;
}

/** A TLS proxy on a free loopback port in front of `port`, as used for RTMPS. */
export async function startTlsFront(port: number, certificate: TestCertificate): Promise<TlsFront> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  };
  const server = createServer(certificate, (outside) => {
    const inside = connect(port, '127.0.0.1');
    keep(outside);
    keep(inside);
    // If one side closes, so does the other.
    for (const [one, other] of [
      [outside, inside],
      [inside, outside],
    ] as const) {
      one.on('error', () => undefined);
      one.on('close', () => other.destroy());
      one.pipe(other);
    }
  });
  // Clients that do not trust the certificate close the connection and report it.
  server.on('tlsClientError', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    end: async () => {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
