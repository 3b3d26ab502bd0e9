import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy on loopback whose connections can be cut, like by a closed laptop or a pulled cable. */
export interface CuttableProxy {
  readonly address: string;
  /** Cuts existing connections and refuses new ones, until `restore`. */
  cut(): void;
  restore(): void;
  close(): Promise<void>;
}

export async function startCuttableProxy(target: string): Promise<CuttableProxy> {
  const [host, port] = target.split(':');
  const sockets = new Set<Socket>();
  let whole = true;
  const server = createServer((client) => {
    if (!whole) return client.destroy();
    const upstream = connect(Number(port), host);
    for (const [one, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(one);
      one.pipe(other);
      one.on('error', () => other.destroy());
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = (): void => {
    whole = false;
    for (const socket of sockets) socket.destroy();
  };
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    restore: () => {
      whole = true;
    },
    close: () => {
      cut();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
