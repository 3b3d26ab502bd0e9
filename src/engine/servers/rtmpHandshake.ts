import { randomBytes } from 'node:crypto';
import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { Clock } from '../base/clock';

/** Of the handshake, which is the first byte of each side. */
export const rtmpVersionByte = 3;
/** C1, C2, S1 and S2. */
export const packetBytes = 1536;
/** Default ports of RTMP and RTMPS. */
export const rtmpPorts = { 'rtmp:': 1935, 'rtmps:': 443 } as const;

/** C0 and C1: time 0, four zero bytes, then arbitrary bytes. */
export const clientHello = (): Buffer =>
  Buffer.concat([Buffer.from([rtmpVersionByte]), Buffer.alloc(8), randomBytes(packetBytes - 8)]);

/**
 * Whether a port speaks RTMP: sends our half of the handshake (C0 and C1) and checks the server's (S0 and S1). No
 * application is connected to. False for no response and for everything else. With `isSecure` it is RTMPS with any
 * certificate: only random bytes are sent.
 */
export function supportsRtmp(
  host: string,
  port: number,
  clock: Clock,
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
      cancelLimit();
      socket.destroy();
      resolve(result);
    };
    const cancelLimit = clock.after(timeoutMs, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on(isSecure ? 'secureConnect' : 'connect', () => socket.write(clientHello()));
    socket.on('data', (data: Buffer) => {
      if (received === 0) isRtmp = data[0] === rtmpVersionByte;
      received += data.length;
      if (!isRtmp || received >= 1 + packetBytes) end(isRtmp);
    });
  });
}
