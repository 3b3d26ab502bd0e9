import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import type { MediaSession } from '../adapter';

/** What a client sends and hears: one name and a list, of which only the first element counts for a client. */
const frame = z.object({ message: z.string(), data: z.array(z.unknown()) });
const status = z.looseObject({
  mediaSessionId: z.string().optional(),
  status: z.string(),
  info: z.string().optional(),
});
const failure = z.looseObject({
  id: z.string().optional(),
  status: z.string().optional(),
  info: z.string().optional(),
});

const answerTimeoutMs = 10_000;
const over = new Set(['FAILED', 'STOPPED', 'UNPUBLISHED']);

export interface WcsSessionOrder {
  /** The node's name, for sentences. */
  readonly who: string;
  /** The server's WebSocket address, e.g. `ws://origin:8080`. */
  readonly url: string;
  readonly stream: string;
  readonly kind: 'play' | 'publish';
  readonly offerSdp: string;
  readonly acceptSelfSigned?: boolean;
}

/**
 * Plays or publishes one stream by WCS's own WebSocket signalling, as its web client does: connect, offer, answer, no trickle in
 * either direction. Resolves with the answer; the WebSocket stays open until `end`, since the server ends the stream with it.
 * Rejects with the server's own reason, e.g. `Stream not found`.
 */
export function openWcsSession(order: WcsSessionOrder): Promise<MediaSession> {
  const { who, url, stream, kind, offerSdp } = order;
  const mediaSessionId = randomUUID();
  const socket = new WebSocket(url, {
    handshakeTimeout: 5000,
    perMessageDeflate: false,
    maxPayload: 1 << 20,
    rejectUnauthorized: order.acceptSelfSigned !== true,
  });
  const send = (message: string, data: unknown): void =>
    socket.send(JSON.stringify({ message, data: [data] }));
  const common = {
    mediaSessionId,
    name: stream,
    published: kind === 'publish',
    hasVideo: true,
    hasAudio: true,
    record: false,
  };
  const end = (): Promise<void> => {
    if (socket.readyState === WebSocket.OPEN)
      send(kind === 'play' ? 'stopStream' : 'unPublishStream', { ...common, status: 'STOPPED' });
    socket.close();
    return Promise.resolve();
  };

  return new Promise<MediaSession>((resolve, reject) => {
    const fail = (code: string, why: string): void => {
      clearTimeout(timer);
      socket.terminate();
      reject(new FullhouseError(code, `${who} does not ${kind} ${stream}: ${why}.`));
    };
    const timer = setTimeout(
      () => fail('timeout', `it has not answered the offer within ${answerTimeoutMs / 1000} s`),
      answerTimeoutMs,
    );
    socket.on('error', (error) => fail('no-answer', `${url} can't be reached (${error.message})`));
    socket.on('close', () => fail('closed', 'it closed the connection'));
    socket.once('open', () =>
      send('connection', {
        appKey: 'defaultApp',
        mediaProviders: ['WebRTC'],
        clientVersion: '2.0',
        clientOSVersion: '',
        clientBrowserVersion: '',
        keepAlive: true,
        custom: {},
      }),
    );
    const take = (message: string, data: readonly unknown[]): void => {
      const [first, second] = data;
      if (message === 'ping') return send('pong', null);
      if (message === 'getUserData')
        return send(kind === 'play' ? 'playStream' : 'publishStream', {
          ...common,
          status: 'PENDING',
          mediaProvider: 'WebRTC',
          sdp: offerSdp,
          constraints: {},
        });
      if (message === 'setRemoteSDP' && first === mediaSessionId && typeof second === 'string') {
        clearTimeout(timer);
        return resolve({ answerSdp: second, end });
      }
      if (message === 'notifyStreamStatusEvent') {
        const told = status.safeParse(first);
        if (told.success && over.has(told.data.status)) fail('refused', told.data.info ?? told.data.status);
      }
      if (message === 'fail') {
        const told = failure.safeParse(first);
        fail('refused', (told.success && told.data.info) || 'it refuses without a reason');
      }
    };
    socket.on('message', (raw) => {
      const text = Array.isArray(raw) ? Buffer.concat(raw) : Buffer.from(raw as Buffer);
      let parsed: unknown;
      try {
        parsed = JSON.parse(text.toString('utf8'));
      } catch {
        return; // binary frames carry media for a player that is not ours
      }
      const read = frame.safeParse(parsed);
      if (read.success) take(read.data.message, read.data.data);
    });
  });
}
