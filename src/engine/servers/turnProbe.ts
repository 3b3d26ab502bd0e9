import { randomBytes } from 'node:crypto';
import { createSocket } from 'node:dgram';
import type { TurnAddress } from '../../domain/model/turn';
import { every, type Clock } from '../base/clock';
import { connectTo } from './connectTo';

const repeatMs = 500;

/**
 * Whether a server responds there: over UDP to a STUN binding request (RFC 8489), which needs no credentials; over TCP
 * and TLS whether it accepts connections.
 */
export function respondsAsTurn(
  { host, port, transport }: TurnAddress,
  clock: Clock,
  timeoutMs: number,
): Promise<boolean> {
  return transport === 'udp' ? respondsToStun(host, port, clock, timeoutMs) : acceptsConnections(host, port, timeoutMs);
}

function respondsToStun(host: string, port: number, clock: Clock, timeoutMs: number): Promise<boolean> {
  const transaction = randomBytes(12);
  const request = Buffer.concat([Buffer.from([0, 1, 0, 0, 0x21, 0x12, 0xa4, 0x42]), transaction]);
  return new Promise((resolve) => {
    const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
    const end = (responds: boolean): void => {
      stopRepeating();
      cancelLimit();
      socket.close();
      resolve(responds);
    };
    const send = (): void => socket.send(request, port, host, (error) => error && end(false));
    const stopRepeating = every(clock, repeatMs, send);
    const cancelLimit = clock.after(timeoutMs, () => end(false));
    socket.once('error', () => end(false));
    socket.on('message', (data) => {
      if (data.length >= 20 && data.subarray(8, 20).equals(transaction)) end(true);
    });
    send();
  });
}

const acceptsConnections = (host: string, port: number, timeoutMs: number): Promise<boolean> =>
  connectTo(host, port, timeoutMs).then(
    () => true,
    () => false,
  );
