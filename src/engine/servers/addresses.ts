import type { PlayProtocol, PublishProtocol } from '../../domain/node';
import { FullhouseError } from '../../contract/calls';
import type { ServerAdapter, StreamToken } from './adapter';

const names: Readonly<Record<PlayProtocol | PublishProtocol, string>> = {
  whep: 'WHEP',
  whip: 'WHIP',
  rtmp: 'RTMP',
  hls: 'HLS',
  'http-flv': 'HTTP-FLV',
  wcs: "WCS's own signalling",
  livekit: "LiveKit's own signalling",
  rtsp: 'RTSP',
};

const listed = (protocols: readonly string[]): string =>
  protocols.length === 0
    ? 'no address of it is known'
    : `it goes by ${protocols.map((each) => names[each as PlayProtocol]).join(', ')}`;

/** Where a stream is watched. Throws one sentence when this server does not serve it that way. */
export function playAddress(
  server: ServerAdapter,
  who: string,
  stream: string,
  protocol: PlayProtocol,
): string {
  const { play } = server.addresses(stream);
  const address = play[protocol];
  if (address) return address;
  throw new FullhouseError(
    'no-protocol',
    `${who} has no address to watch ${stream} by ${names[protocol]}: ${listed(Object.keys(play))}. Edit the node to give it one.`,
  );
}

/** Where a stream is published; of `protocols` the first that the server takes. Throws one sentence when it takes none. */
export function publishAddress<P extends PublishProtocol>(
  server: ServerAdapter,
  who: string,
  stream: string,
  protocols: readonly P[],
): { readonly protocol: P; readonly url: string; readonly token?: StreamToken } {
  const { publish, token } = server.addresses(stream);
  for (const protocol of protocols) {
    const url: string | undefined = publish[protocol];
    if (url) return { protocol, url, ...(token && protocol === 'whip' ? { token } : {}) };
  }
  throw new FullhouseError(
    'no-protocol',
    `${who} has no address to publish ${stream} by ${protocols.map((each) => names[each]).join(' or ')}: ${listed(Object.keys(publish))}. Edit the node to give it one.`,
  );
}
