import type { PublishProtocol } from '../../domain/model/node';
import { protocolNames, type PlayProtocol } from '../../domain/model/protocols';
import { FullhouseError } from '../../contract/calls';
import type { ServerAdapter, StreamToken } from './adapter';

const listed = (protocols: readonly string[]): string =>
  protocols.length === 0
    ? 'it has no known address'
    : `available: ${protocols.map((protocol) => protocolNames[protocol as PlayProtocol]).join(', ')}`;

/** Where a stream is pulled from. Throws one sentence when this server does not serve it over that protocol. */
export function playAddress(server: ServerAdapter, who: string, stream: string, protocol: PlayProtocol): string {
  const { play } = server.addresses(stream);
  const address = play[protocol];
  if (address) return address;
  throw new FullhouseError(
    'no-protocol',
    `${who} has no address to pull ${stream} over ${protocolNames[protocol]} (${listed(Object.keys(play))}). Edit the node to add one.`,
  );
}

/**
 * Where a stream is published, over the first of `protocols` that the server accepts. Throws one sentence when it
 * accepts none.
 */
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
    `${who} has no address to publish ${stream} over ${protocols.map((protocol) => protocolNames[protocol]).join(' or ')} (${listed(Object.keys(publish))}). Edit the node to add one.`,
  );
}
