import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import { webSocketAgent } from '../../links/http/proxyTunnel';
import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import { parseForeignJson } from '../../../domain/budget/foreignJson';
import { type Clock, inTime } from '../../base/clock';
import type { MediaSession, SignalMedia } from '../adapter';
import { localMediaInfo, offerForWcs, sends } from './offer';

export interface WcsSignallingOptions {
  readonly who: string;
  /** The server's address for web clients; undefined when it is not known. */
  readonly url: string | undefined;
  readonly acceptSelfSigned?: boolean;
  readonly proxy?: string;
  readonly clock: Clock;
}

/** Signals streams to a WCS and tracks the active ones. */
export interface WcsSignalling {
  readonly signal: SignalMedia;
  close(): void;
}

const answerMs = 8000;
const closeTimeoutMs = 1000;

const status = z.looseObject({
  mediaSessionId: z.string(),
  status: z.string(),
  info: z.string().nullish(),
});
type Status = z.output<typeof status>;
/** Statuses after which a stream is over. */
const endedStatuses = new Set(['FAILED', 'STOPPED', 'UNPUBLISHED']);

/**
 * Plays and publishes as WCS's web client does: the offer has no candidates, and the answer is complete, since neither side
 * sends candidates later. The session lasts as long as the connection.
 */
export function wcsSignalling({ who, url, acceptSelfSigned, proxy, clock }: WcsSignallingOptions): WcsSignalling {
  const open = new Set<ClientSocket>();
  return {
    signal: async (kind, stream, offerSdp) => {
      if (url === undefined)
        throw new FullhouseError('no-address', `${who} has no address for web clients; edit the node.`);
      const socket = await openClientSocket({ who, url, acceptSelfSigned, proxy, clock });
      open.add(socket);
      socket.onClose(() => open.delete(socket));
      try {
        return await session(socket, clock, who, kind, stream, offerSdp);
      } catch (error) {
        socket.close();
        throw error;
      }
    },
    close: () => {
      for (const socket of open) socket.close();
    },
  };
}

function session(
  socket: ClientSocket,
  clock: Clock,
  who: string,
  kind: 'play' | 'publish',
  stream: string,
  offerSdp: string,
): Promise<MediaSession> {
  const mediaSessionId = randomUUID();
  const isPublished = kind === 'publish';
  const common = {
    mediaSessionId,
    name: stream,
    published: isPublished,
    // As in the vendor's client: a publisher has what its offer sends, a player takes both.
    hasVideo: !isPublished || sends(offerSdp, 'video'),
    hasAudio: !isPublished || sends(offerSdp, 'audio'),
    status: 'PENDING',
    record: false,
  };
  let latest = common.status;
  const ended = new Promise<string>((resolve) => {
    socket.onClose(() => resolve(`${who} closed the connection of ${stream}.`));
    socket.onMessage(({ message, data }) => {
      const streamStatus = statusOf(message, data, mediaSessionId);
      if (streamStatus) latest = streamStatus.status;
      if (streamStatus && endedStatuses.has(streamStatus.status))
        resolve(`${who} ended ${stream}: ${wordsOf(streamStatus)}.`);
    });
  });
  const end = async (): Promise<void> => {
    // Both kinds are claimed here whatever the offer has, as by the vendor's client.
    const stopped = { ...common, hasVideo: true, hasAudio: true, status: latest };
    socket.send(isPublished ? 'unPublishStream' : 'stopStream', stopped);
    await inTime(clock, ended, closeTimeoutMs);
    socket.close();
  };
  return new Promise((resolve, reject) => {
    const action = isPublished ? `publish ${stream}` : `play ${stream}`;
    const fail = (code: string, why: string): void => {
      cancelLimit();
      reject(new FullhouseError(code, `${who} failed to ${action}: ${why}.`));
    };
    const cancelLimit = clock.after(answerMs, () =>
      fail('timeout', `no answer to the offer within ${answerMs / 1000} s; it may be out of CPU or media ports`),
    );
    socket.onClose(() => fail('closed', 'it closed the connection'));
    socket.onMessage(({ message, data }) => {
      if (message === 'setRemoteSDP' && data[0] === mediaSessionId && typeof data[1] === 'string') {
        cancelLimit();
        resolve({ answerSdp: data[1], ended, end });
        return;
      }
      const streamStatus = statusOf(message, data, mediaSessionId);
      if (streamStatus && endedStatuses.has(streamStatus.status)) fail('refused', wordsOf(streamStatus));
    });
    socket.send(isPublished ? 'publishStream' : 'playStream', {
      ...common,
      mediaProvider: 'WebRTC',
      sdp: offerForWcs(offerSdp),
      bitrate: 0,
      minBitrate: 0,
      maxBitrate: 0,
      ...(isPublished ? { localMediaInfo: localMediaInfo(offerSdp) } : { width: 0, height: 0, quality: 0 }),
      constraints: {},
      cvoExtension: true,
    });
  });
}

/** The server's own words, e.g. "Failed by ICE timeout". */
const wordsOf = ({ info, status: word }: Status): string => info?.trim().replace(/\.$/, '') || `status ${word}`;

/** The stream status in a message, if it contains one; `fail` names the stream by `id`. */
function statusOf(message: string, data: readonly unknown[], mediaSessionId: string): Status | undefined {
  const [first] = data;
  const named =
    message === 'fail' && typeof first === 'object' && first !== null && 'id' in first
      ? { ...first, mediaSessionId: first.id }
      : first;
  if (message !== 'notifyStreamStatusEvent' && message !== 'fail') return undefined;
  const parsed = status.safeParse(named);
  return parsed.success && parsed.data.mediaSessionId === mediaSessionId ? parsed.data : undefined;
}

/** A frame of the protocol of WCS's web clients: a name and a list, of which clients send one element. */
const frame = z.object({ message: z.string(), data: z.array(z.unknown()).catch([]) });
type ServerMessage = z.output<typeof frame>;

interface ClientSocketOptions {
  /** The node's name, for messages. */
  readonly who: string;
  /** `ws://host:8080` or `wss://host:8443`. */
  readonly url: string;
  readonly acceptSelfSigned?: boolean;
  readonly proxy?: string;
  readonly clock: Clock;
}

/** A connection to a WCS as a web client, after the greeting. */
interface ClientSocket {
  send(message: string, argument: object): void;
  onMessage(listener: (message: ServerMessage) => void): void;
  onClose(listener: () => void): void;
  close(): void;
}

const connectMs = 5000;
const maxFrameBytes = 1 << 20;
/** What the vendor's client sends about itself; the versions are those of the protocol. */
const greeting = {
  appKey: 'defaultApp',
  mediaProviders: ['WebRTC'],
  clientVersion: '2.0',
  clientOSVersion: 'fullhouse',
  clientBrowserVersion: 'fullhouse',
  msePacketizationVersion: 2,
  custom: {},
};

/** Connects and waits for the greeting. Rejects with one sentence. */
function openClientSocket({ who, url, acceptSelfSigned, proxy, clock }: ClientSocketOptions): Promise<ClientSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      handshakeTimeout: connectMs,
      maxPayload: maxFrameBytes,
      rejectUnauthorized: acceptSelfSigned !== true,
      agent: webSocketAgent(new URL(url), proxy, who),
    });
    const fail = (code: string, why: string): void => {
      cancelLimit();
      socket.terminate();
      reject(new FullhouseError(code, `${who}: ${why}.`));
    };
    const cancelLimit = clock.after(connectMs, () =>
      fail(
        'timeout',
        `${url} sent no greeting within ${connectMs / 1000} s; check that it is the port for web clients, usually 8080`,
      ),
    );
    const listeners: Array<(message: ServerMessage) => void> = [];
    const send = (message: string, argument: object | null): void => {
      if (socket.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ message, data: [argument] }));
    };
    socket.on('open', () => send('connection', greeting));
    socket.on('error', (error) => fail('no-connection', `can't connect to ${url} (${error.message})`));
    socket.on('close', () => fail('closed', `${url} closed the connection without a greeting`));
    socket.on('message', (data, isBinary) => {
      const message = isBinary ? undefined : readFrame((data as Buffer).toString('utf8'));
      if (!message) return;
      if (message.message === 'ping') return send('pong', null);
      for (const listener of listeners) listener(message);
      if (message.message !== 'getUserData') return;
      cancelLimit();
      resolve({
        send,
        onMessage: (listener) => void listeners.push(listener),
        onClose: (listener) => void socket.on('close', listener),
        close: () => socket.close(),
      });
    });
  });
}

function readFrame(text: string): ServerMessage | undefined {
  let raw: unknown;
  try {
    raw = parseForeignJson(text);
  } catch {
    return undefined;
  }
  const parsed = frame.safeParse(raw);
  return parsed.success ? parsed.data : undefined;
}
