import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import WebSocket from 'ws';
import { agentLimits } from '../../contract/agentLimits';
import { FullhouseError } from '../../contract/calls';
import { agentHandshake } from './agentProof';

/** The connection to an agent, as far as a link uses it. */
export type AgentSocket = Pick<WebSocket, 'readyState' | 'send' | 'terminate' | 'on' | 'once' | 'removeAllListeners'>;

export type DialAgent = (
  ...agent: Parameters<typeof dialAgent>
) => Readonly<{ socket: AgentSocket; opened: Promise<void> }>;

/**
 * Dials an agent. The socket is returned at once so that it can be closed; `opened` rejects with one sentence on
 * failure.
 */
export function dialAgent(
  address: string,
  token: string,
  who: string,
  /** An open connection to the agent, e.g. through SSH; without one the address itself is dialled. */
  through?: Duplex,
): { readonly socket: WebSocket; readonly opened: Promise<void> } {
  const handshake = agentHandshake(token);
  let proof: string | undefined;
  const socket = new WebSocket(`ws://${address}/v1`, {
    headers: handshake.headers,
    maxPayload: agentLimits.maxFrameBytes,
    handshakeTimeout: 5000,
    perMessageDeflate: false,
    ...(through ? { createConnection: () => through as Socket } : {}),
  });
  const opened = new Promise<void>((resolve, reject) => {
    socket.once('upgrade', (response) => {
      proof = handshake.answer(response.headers);
    });
    socket.once('open', () => {
      if (proof !== undefined) {
        socket.send(proof);
        return resolve();
      }
      reject(
        new FullhouseError(
          'token-refused',
          `The program at ${address} does not know the token of ${who.replace(/^The /, 'the ')}: it is another agent, or another program that took its port. Stop it and start the agent again.`,
        ),
      );
      socket.terminate();
    });
    socket.once('unexpected-response', (_request, response) => {
      const refused = response.statusCode === 401;
      reject(
        new FullhouseError(
          refused ? 'token-refused' : 'no-agent',
          refused
            ? `${who} at ${address} rejected the token; stop the agent that listens there and start it again.`
            : `The server at ${address} is not an agent: it returned HTTP ${response.statusCode}.`,
        ),
      );
      response.destroy();
      socket.terminate();
    });
    // Also keeps a later error from being thrown: it is handled at the 'close' that follows.
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

/** A frame's text, in any of the forms of `ws`. */
export function textOf(data: WebSocket.RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString('utf8');
  return (Buffer.isBuffer(data) ? data : Buffer.from(data)).toString('utf8');
}
