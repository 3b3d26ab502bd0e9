import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import WebSocket from 'ws';
import { FullhouseError } from '../../contract/calls';

/** Dials an agent. The socket is there at once, for whoever wants to end it; `opened` rejects with one sentence about why it can't be had. */
export function dialAgent(
  address: string,
  token: string,
  who: string,
  /** A way to the agent that was opened already, e.g. through SSH; without one the address itself is dialled. */
  through?: Duplex,
): { readonly socket: WebSocket; readonly opened: Promise<void> } {
  const socket = new WebSocket(`ws://${address}/v1`, {
    headers: { Authorization: `Bearer ${token}` },
    maxPayload: 1 << 20,
    handshakeTimeout: 5000,
    perMessageDeflate: false,
    ...(through ? { createConnection: () => through as Socket } : {}),
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('unexpected-response', (_request, response) => {
      const refused = response.statusCode === 401;
      reject(
        new FullhouseError(
          refused ? 'token-refused' : 'no-agent',
          refused
            ? `${who} at ${address} refuses the token; stop the agent that listens there and start it anew.`
            : `What listens at ${address} is no agent: it answers HTTP ${response.statusCode}.`,
        ),
      );
      response.destroy();
      socket.terminate();
    });
    // Also keeps a later error from being thrown: 'close' follows and is where it is dealt with.
    socket.on('error', (error) =>
      reject(
        new FullhouseError('link-lost', `${who} can't be reached at ${address}: ${error.message}.`, {
          cause: error,
        }),
      ),
    );
  });
  return { socket, opened };
}

/** A frame's text, in whichever of its forms `ws` hands it over. */
export function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString('utf8');
}
