import { FullhouseError } from '../../contract/calls';
import type { HttpLink } from '../links/http/httpLink';
import type { FleetNode } from './node';

/** An HLS segment is a few seconds of one rendition; more than this is not a segment. */
const maxPieceBytes = 30_000_000;

/**
 * How the control player plays a stream of a node. Throws one sentence when the player supports none of its protocols.
 */
export function playableAddress(
  node: FleetNode,
  stream: string,
): { readonly protocol: 'whep' | 'hls'; readonly url: string } {
  const { play } = node.server.addresses(stream);
  const signalled = play.whep ?? play.wcs;
  if (signalled !== undefined) return { protocol: 'whep', url: signalled };
  if (play.hls !== undefined) return { protocol: 'hls', url: play.hls };
  const others = Object.keys(play);
  throw new FullhouseError(
    'no-protocol',
    `${node.id} has no address from which the player can play ${stream}${others.length > 0 ? ` (available: ${others.join(', ')})` : ''}. Edit the node and add a WHEP or HLS address.`,
  );
}

/**
 * Fetches a part of a stream for the window, which opens no connections. Only the server's own addresses are fetched.
 */
export async function fetchForPlayer(
  node: FleetNode & { readonly http?: HttpLink },
  url: string,
): Promise<{ readonly status: number; readonly url: string; readonly data: Uint8Array }> {
  const { hls } = node.server.addresses('any').play;
  const wanted = new URL(url);
  if (hls === undefined || new URL(hls).origin !== wanted.origin)
    throw new FullhouseError(
      'other-host',
      `The stream refers to ${wanted.origin}, which is not an address of ${node.id}; its segments are not fetched.`,
    );
  if (!node.http) throw new FullhouseError('not-live', `${node.id} is not reached over HTTP.`);
  const { status, body } = await node.http.request({
    url,
    maxBytes: maxPieceBytes,
    timeoutMs: 10_000,
    encoding: 'latin1',
  });
  return { status, url, data: new Uint8Array(Buffer.from(body, 'latin1')) };
}
