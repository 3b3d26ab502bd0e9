import { connect } from 'node:net';
import type { Clock } from '../base/clock';
import { bareHost } from './addressTemplate';
import { clientHello, packetBytes, rtmpVersionByte } from './rtmpHandshake';

const chunkBytes = 128;
const maxBytes = 16_384;

/**
 * What an RTMP server names itself in its response to `connect` (`fmsVer`, e.g. `FMS/3,5,7,7009`): the handshake, then an
 * application is connected to, without a stream. Undefined for no such response.
 */
export function rtmpVersion(
  host: string,
  port: number,
  app: string,
  clock: Clock,
  timeoutMs: number,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: bareHost(host), port });
    let received = Buffer.alloc(0);
    let isConnecting = false;
    const end = (result?: string): void => {
      cancelLimit();
      socket.destroy();
      resolve(result);
    };
    const cancelLimit = clock.after(timeoutMs, () => end());
    socket.on('error', () => end());
    socket.on('close', () => end());
    socket.on('connect', () => socket.write(clientHello()));
    socket.on('data', (data: Buffer) => {
      received = Buffer.concat([received, data]);
      if (received[0] !== rtmpVersionByte || received.length > 2 * packetBytes + maxBytes) return end();
      if (received.length < 1 + 2 * packetBytes) return;
      if (!isConnecting) {
        isConnecting = true;
        const echo = received.subarray(1, 1 + packetBytes);
        socket.write(Buffer.concat([echo, connectMessage(app, `rtmp://${host}:${port}/${app}`)]));
      }
      const found = fmsVerIn(received.subarray(1 + 2 * packetBytes));
      if (found !== undefined) end(found);
    });
  });
}

/** The string behind `fmsVer`, the first property of the first object in the response, so that no chunk divides it. */
function fmsVerIn(response: Buffer): string | undefined {
  const key = response.indexOf('fmsVer');
  const start = key + 'fmsVer'.length;
  if (key < 0 || response.length < start + 3 || response[start] !== amf.string) return undefined;
  const length = response.readUInt16BE(start + 1);
  return response.length < start + 3 + length || length > 200
    ? undefined
    : response.toString('latin1', start + 3, start + 3 + length);
}

/** Types of AMF 0. */
const amf = { number: 0, string: 2, object: 3 } as const;

const textOf = (text: string): Buffer => {
  const bytes = Buffer.from(text);
  return Buffer.concat([Buffer.from([bytes.length >> 8, bytes.length & 255]), bytes]);
};
const stringOf = (text: string): Buffer => Buffer.concat([Buffer.from([amf.string]), textOf(text)]);

/** The command `connect` with the number 1, in chunks of the usual size. */
function connectMessage(app: string, tcUrl: string): Buffer {
  const one = Buffer.alloc(9);
  one.writeDoubleBE(1, 1);
  const payload = Buffer.concat([
    stringOf('connect'),
    one,
    Buffer.from([amf.object]),
    ...Object.entries({ app, flashVer: 'LNX 9,0,124,2', tcUrl }).flatMap(([key, value]) => [
      textOf(key),
      stringOf(value),
    ]),
    Buffer.from([0, 0, 9]),
  ]);
  // Chunk stream 3, time 0, type 20 (a command), message stream 0.
  const header = Buffer.from([3, 0, 0, 0, 0, payload.length >> 8, payload.length & 255, 20, 0, 0, 0, 0]);
  const chunks = [header, payload.subarray(0, chunkBytes)];
  for (let from = chunkBytes; from < payload.length; from += chunkBytes)
    chunks.push(Buffer.from([0xc3]), payload.subarray(from, from + chunkBytes));
  return Buffer.concat(chunks);
}
