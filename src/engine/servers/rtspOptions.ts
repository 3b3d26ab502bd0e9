import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Clock } from '../base/clock';
import { bareHost } from './addressTemplate';

/** Default ports of RTSP. */
export const rtspPorts: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322 };
const maxBytes = 8192;

/**
 * The response to OPTIONS (RFC 2326, 10.1) of an RTSP server, which any of them sends and which requests no stream;
 * undefined for anything else. RTSPS is with any certificate: nothing secret is sent. Some servers don't know the address
 * `*`, so that of the server is sent.
 */
export function rtspOptions(url: URL, clock: Clock, timeoutMs: number): Promise<string | undefined> {
  const host = bareHost(url.hostname);
  const port = Number(url.port || rtspPorts[url.protocol]);
  return new Promise((resolve) => {
    const socket =
      url.protocol === 'rtsps:'
        ? connectSecurely({ host, port, servername: isIP(host) ? undefined : host, rejectUnauthorized: false })
        : connect({ host, port });
    let received = '';
    const end = (): void => {
      cancelLimit();
      socket.destroy();
      resolve(received.startsWith('RTSP/') ? received : undefined);
    };
    const cancelLimit = clock.after(timeoutMs, end);
    socket.on('error', end);
    socket.on('close', end);
    socket.on(url.protocol === 'rtsps:' ? 'secureConnect' : 'connect', () =>
      socket.write(`OPTIONS ${url.protocol}//${url.hostname}:${port}/ RTSP/1.0\r\nCSeq: 1\r\n\r\n`),
    );
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1');
      const isOther = received.length >= 5 && !received.startsWith('RTSP/');
      if (isOther || received.includes('\r\n\r\n') || received.length > maxBytes) end();
    });
  });
}
