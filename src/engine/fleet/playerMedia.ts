import { playerProtocols, type PlayerProtocol } from '../../domain/model/playerProtocols';
import { protocolNames, type PlayProtocol } from '../../domain/model/protocols';
import { FullhouseError } from '../../contract/calls';
import type { HttpLink } from '../links/http/httpLink';
import type { FleetNode } from './node';

/** An HLS segment is a few seconds of one rendition; more than this is not a segment. */
const maxPieceBytes = 30_000_000;

export interface PlayableAddress {
  readonly protocol: PlayerProtocol;
  readonly url: string;
  /** All protocols over which the player can play the stream. */
  readonly available: PlayerProtocol[];
}

/**
 * How the control player plays a stream of a node, over `wanted` or the preferred protocol. Throws one sentence when
 * that is not possible.
 */
export function playableAddress(node: FleetNode, stream: string, wanted?: PlayerProtocol): PlayableAddress {
  const { play, viewerTokens } = node.server.addresses(stream);
  const available = playerProtocols.filter(
    // Without an API secret no token can be made, and LiveKit refuses a player without one.
    (protocol) => play[protocol] !== undefined && (protocol !== 'livekit' || viewerTokens !== undefined),
  );
  const protocol = wanted ?? available[0];
  const url = protocol && available.includes(protocol) ? play[protocol] : undefined;
  if (protocol !== undefined && url !== undefined) return { protocol, url, available };
  const others = Object.keys(play).map((name) => protocolNames[name as PlayProtocol]);
  const over = wanted === undefined ? '' : ` over ${protocolNames[wanted]}`;
  throw new FullhouseError(
    'no-protocol',
    `${node.id} has no address from which the player can play ${stream}${over}${others.length > 0 ? ` (available: ${others.join(', ')})` : ''}. Edit the node and add a WHEP or HLS address.`,
  );
}

/** Refuses an address of a host and port from which the node's server serves no streams. */
export function requireOwnAddress(node: FleetNode, stream: string, url: string): URL {
  const target = new URL(url);
  const addresses = Object.values(node.server.addresses(stream).play);
  // The scheme may differ: LiveKit's client derives http: from ws:.
  if (addresses.some((address) => hostPort(new URL(address)) === hostPort(target))) return target;
  throw new FullhouseError(
    'other-host',
    `The stream refers to ${target.protocol}//${target.host}, which is not an address of ${node.id}; nothing is fetched from there.`,
  );
}

const defaultPorts: Readonly<Record<string, string>> = {
  'http:': '80',
  'ws:': '80',
  'https:': '443',
  'wss:': '443',
  'rtmp:': '1935',
  'rtmps:': '443',
  'rtsp:': '554',
  'rtsps:': '322',
};

function hostPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (defaultPorts[protocol] ?? '')}`;
}

export type NodeWithHttp = FleetNode & { readonly http?: HttpLink };

/** The node's HTTP. Throws a sentence when it has none. */
export function httpOf(node: NodeWithHttp): HttpLink {
  if (node.http) return node.http;
  throw new FullhouseError('not-live', `${node.id} is not reached over HTTP.`);
}

/**
 * Fetches a part of a stream for the window, which opens no connections. Only the server's own addresses are fetched.
 */
export async function fetchForPlayer(
  node: NodeWithHttp,
  url: string,
): Promise<{ readonly status: number; readonly url: string; readonly data: Uint8Array }> {
  requireOwnAddress(node, 'any', url);
  const { status, body } = await httpOf(node).request({
    url,
    maxBytes: maxPieceBytes,
    timeoutMs: 10_000,
    encoding: 'latin1',
  });
  return { status, url, data: new Uint8Array(Buffer.from(body, 'latin1')) };
}
