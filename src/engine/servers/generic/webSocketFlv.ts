import WebSocket from 'ws';
import { webSocketAgent } from '../../links/http/proxyTunnel';
import type { Clock } from '../../base/clock';

/** More than the start of an FLV file; a camera's first message may be a whole frame. */
const maxMessageBytes = 4_000_000;

/**
 * Whether FLV is served over WebSocket there: by the first message, or, at a path that ends in `.flv`, by an accepted
 * connection without one, which is how a server waits for a stream that is not published yet. False for no response.
 */
export function servesWebSocketFlv(
  url: URL,
  {
    clock,
    timeoutMs,
    acceptSelfSigned,
    proxy,
  }: { clock: Clock; timeoutMs: number; acceptSelfSigned: boolean; proxy: string | undefined },
): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      maxPayload: maxMessageBytes,
      rejectUnauthorized: !acceptSelfSigned,
      agent: webSocketAgent(url, proxy, url.host),
    });
    const end = (result: boolean): void => {
      cancelLimit();
      socket.terminate();
      resolve(result);
    };
    const cancelLimit = clock.after(timeoutMs, () =>
      end(socket.readyState === WebSocket.OPEN && /\.flv$/i.test(url.pathname)),
    );
    socket.on('error', () => end(false));
    socket.on('close', () => end(false));
    socket.on('message', (data: Buffer, isBinary) => end(isBinary && data.toString('latin1', 0, 3) === 'FLV'));
  });
}
