import { randomBytes } from 'node:crypto';
import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

const version = 3;
const packetBytes = 1536;
/** Where RTMP and RTMPS are served unless an address says otherwise. */
export const rtmpPorts = { 'rtmp:': 1935, 'rtmps:': 443 } as const;

/**
 * Whether RTMP is spoken at a port: our half of the handshake is sent (C0 and C1), and the server's looked at (S0 and S1). No
 * application is connected to. False for silence and for everything else. With `isSecure` it is RTMPS, whoever the certificate is of:
 * nothing but random bytes is sent.
 */
export function speaksRtmp(
  host: string,
  port: number,
  timeoutMs: number,
  isSecure = false,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = isSecure
      ? connectSecurely({ host, port, servername: isIP(host) ? undefined : host, rejectUnauthorized: false })
      : connect({ host, port });
    let received = 0;
    let isRtmp = false;
    const end = (result: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(result);
    };
    const timer = setTimeout(() => end(false), timeoutMs);
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on(isSecure ? 'secureConnect' : 'connect', () =>
      // Time 0, four zero bytes, and anything.
      socket.write(Buffer.concat([Buffer.from([version]), Buffer.alloc(8), randomBytes(packetBytes - 8)])),
    );
    socket.on('data', (data: Buffer) => {
      if (received === 0) isRtmp = data[0] === version;
      received += data.length;
      if (!isRtmp || received >= 1 + packetBytes) end(isRtmp);
    });
  });
}
