import { createSocket } from 'node:dgram';
import { connect, isIP } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import { every, type Clock } from '../base/clock';
import { bareHost } from './addressTemplate';

/** Default ports of RTSP; SRT has none. */
const rtspPorts: Readonly<Record<string, number>> = { 'rtsp:': 554, 'rtsps:': 322 };
const repeatMs = 300;

/** Whether a server of the address's protocol, RTSP or SRT, responds there. No stream is requested. */
export function respondsAsMedia(url: URL, clock: Clock, timeoutMs: number): Promise<boolean> {
  const host = bareHost(url.hostname);
  if (url.protocol === 'srt:')
    return url.port === '' ? Promise.resolve(false) : respondsToSrt(host, Number(url.port), clock, timeoutMs);
  const isSecure = url.protocol === 'rtsps:';
  return respondsToRtsp(host, Number(url.port || rtspPorts[url.protocol]), isSecure, clock, timeoutMs);
}

/** Sends OPTIONS (RFC 2326, 10.1), which any RTSP server answers. RTSPS is with any certificate: nothing secret is sent. */
function respondsToRtsp(
  host: string,
  port: number,
  isSecure: boolean,
  clock: Clock,
  timeoutMs: number,
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = isSecure
      ? connectSecurely({ host, port, servername: isIP(host) ? undefined : host, rejectUnauthorized: false })
      : connect({ host, port });
    let received = '';
    const end = (responds: boolean): void => {
      cancelLimit();
      socket.destroy();
      resolve(responds);
    };
    const cancelLimit = clock.after(timeoutMs, () => end(false));
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on(isSecure ? 'secureConnect' : 'connect', () => socket.write('OPTIONS * RTSP/1.0\r\nCSeq: 1\r\n\r\n'));
    socket.on('data', (data: Buffer) => {
      received += data.toString('latin1', 0, 16);
      if (received.length >= 5) end(received.startsWith('RTSP/'));
    });
  });
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
