import { createServer, request, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';

/** An HTTP proxy on loopback that finds every host on this machine, so that names of tests need no DNS. */
export interface HttpProxy {
  /** `http://USER:PASSWORD@127.0.0.1:PORT` */
  readonly url: string;
  readonly address: string;
  /** Request lines, e.g. `CONNECT media.test:443`. */
  readonly seen: readonly string[];
  close(): Promise<void>;
}

export async function startHttpProxy(
  options: { readonly login?: string; readonly refuseWith?: number } = {},
): Promise<HttpProxy> {
  const seen: string[] = [];
  const sockets = new Set<Socket>();
  const refusal = ({ headers }: IncomingMessage): number | undefined => {
    const expected = options.login && `Basic ${Buffer.from(options.login).toString('base64')}`;
    if (expected !== undefined && headers['proxy-authorization'] !== expected) return 407;
    return options.refuseWith;
  };
  const server = createServer((received, response) => {
    seen.push(`${received.method} ${received.url}`);
    const status = refusal(received);
    if (status !== undefined) return response.writeHead(status).end('refused by the proxy');
    const target = new URL(received.url ?? '');
    const { 'proxy-authorization': _, ...headers } = received.headers;
    const onward = request(
      {
        host: '127.0.0.1',
        port: target.port,
        method: received.method,
        path: `${target.pathname}${target.search}`,
        headers,
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    onward.on('error', () => response.writeHead(502).end());
    received.pipe(onward);
  });
  server.on('connection', (socket) => {
    sockets.add(socket.on('error', () => undefined));
    socket.on('close', () => sockets.delete(socket));
  });
  server.on('connect', (received: IncomingMessage, socket: Socket, head) => {
    seen.push(`CONNECT ${received.url}`);
    const status = refusal(received);
    if (status !== undefined) return socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
    const onward = connect(Number(received.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connected\r\n\r\n');
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('close', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${options.login === undefined ? '' : `${options.login.split(':').map(encodeURIComponent).join(':')}@`}${address}`,
    address,
    seen,
    close: () => {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
