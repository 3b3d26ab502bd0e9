import type { MediaSession, RoomPublisher } from '../servers/adapter';
import { playAddress, publishAddress } from '../servers/addresses';
import { deleteSession, postOffer, type SignallingOptions } from '../servers/signalling';
import type { FleetNode } from './node';
import { noRoomToken, publisherTokenHoldsMs } from './publicationOrder';

/** Signalling of what the window plays and publishes, since it opens media connections only. */

/** A stream that the window plays or publishes over WebRTC. */
export interface MediaOrder {
  readonly kind: 'play' | 'publish';
  readonly stream: string;
  readonly offerSdp: string;
  /** With the server's own signalling, although it may have WHEP and WHIP too. */
  readonly byOwnSignalling?: boolean;
}

/** With WHEP or WHIP where the server has such an address for the stream, else with its own signalling. */
export async function signalMedia(
  node: FleetNode,
  { kind, stream, offerSdp, byOwnSignalling = false }: MediaOrder,
): Promise<MediaSession> {
  const { server } = node;
  const { play, publish, token } = server.addresses(stream);
  const known = kind === 'play' ? play.whep : publish.whip;
  if ((known === undefined || byOwnSignalling) && server.signal) return server.signal(kind, stream, offerSdp);
  const url =
    known ??
    (kind === 'play'
      ? playAddress(server, node.id, stream, 'whep')
      : publishAddress(server, node.id, stream, ['whip']).url);
  const { selfSigned, allowCrossOrigin, proxy } = node.settings;
  const options = { who: node.id, acceptSelfSigned: selfSigned, allowCrossOrigin, proxy };
  const withToken = async (): Promise<SignallingOptions> =>
    token ? { ...options, bearerToken: await token(kind) } : options;
  const { answerSdp, resourceUrl } = await postOffer(url, offerSdp, await withToken());
  // The token is not sent to a session on another host.
  const isSameHost = new URL(resourceUrl).origin === new URL(url).origin;
  return {
    answerSdp,
    end: async () => deleteSession(resourceUrl, isSameHost ? await withToken() : options),
  };
}

/** A room that the window publishes in: where its client connects, and as which participant. Throws a sentence. */
export function roomToPublish({ server, id }: FleetNode, stream: string): RoomPublisher & { readonly url: string } {
  const { url } = publishAddress(server, id, stream, ['livekit']);
  const publisher = server.addresses(stream).roomPublisher?.(publisherTokenHoldsMs);
  if (!publisher) throw noRoomToken(id);
  return { ...publisher, url };
}
