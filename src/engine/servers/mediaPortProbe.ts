import { createSocket } from 'node:dgram';
import { every, type Clock } from '../base/clock';
import { bareHost } from './addressTemplate';
import { rtspOptions } from './rtspOptions';

const repeatMs = 300;

/** Whether a server of the address's protocol, RTSP or SRT, responds there. No stream is requested. */
export function respondsAsMedia(url: URL, clock: Clock, timeoutMs: number): Promise<boolean> {
  const host = bareHost(url.hostname);
  // SRT has no usual port.
  if (url.protocol === 'srt:')
    return url.port === '' ? Promise.resolve(false) : respondsToSrt(host, Number(url.port), clock, timeoutMs);
  return rtspOptions(url, clock, timeoutMs).then((response) => response !== undefined);
}

/**
 * Sends the induction of a caller (draft-sharabayko-srt, 4.3.1.1), which a listener answers with a cookie and keeps no
 * state of.
 */
function respondsToSrt(host: string, port: number, clock: Clock, timeoutMs: number): Promise<boolean> {
  const request = Buffer.alloc(64);
  request.writeUInt16BE(0x8000, 0); // control packet, handshake
  request.writeUInt32BE(4, 16); // version of UDT
  request.writeUInt16BE(2, 22); // extension field of an induction
  request.writeUInt32BE(1500, 28); // maximum size of a packet
  request.writeUInt32BE(8192, 32); // flow window
  request.writeUInt32BE(1, 36); // induction
  request.writeUInt32BE(1, 40); // socket id
  request.writeUInt8(127, 48);
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
      if (data.length >= 64 && data.readUInt16BE(0) === 0x8000) end(true);
    });
    send();
  });
}
