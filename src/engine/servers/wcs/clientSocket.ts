import WebSocket from 'ws';
import { z } from 'zod';
import { FullhouseError } from '../../../contract/calls';
import type { Clock } from '../../base/clock';
import { parseForeignJson } from '../../../domain/budget/foreignJson';

/** A frame of the protocol of WCS's web clients: a name and a list, of which clients send one element. */
const frame = z.object({ message: z.string(), data: z.array(z.unknown()).catch([]) });
export type ServerMessage = z.output<typeof frame>;

export interface ClientSocketOptions {
  /** The node's name, for messages. */
  readonly who: string;
  /** `ws://host:8080` or `wss://host:8443`. */
  readonly url: string;
  readonly acceptSelfSigned?: boolean;
  readonly clock: Clock;
}

/** A connection to a WCS as a web client, after the greeting. */
export interface ClientSocket {
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
export function openClientSocket({ who, url, acceptSelfSigned, clock }: ClientSocketOptions): Promise<ClientSocket> {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(url, {
      handshakeTimeout: connectMs,
      maxPayload: maxFrameBytes,
      rejectUnauthorized: acceptSelfSigned !== true,
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
