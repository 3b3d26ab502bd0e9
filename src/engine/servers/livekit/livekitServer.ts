import { FullhouseError } from '../../../contract/calls';
import { asSentence } from '../../../domain/text/sentence';
import { livekitFix } from '../../base/secretPlace';
import type { NodeCapabilities } from '../../../domain/model/node';
import type { SeriesId } from '../../../domain/series/series';
import type { PolledServer, ServerAccess, ServerIdentity, StreamAddresses } from '../adapter';
import { fillAddress } from '../addressTemplate';
import { apiBase, metricsUrl, signallingUrl } from './addresses';
import { metricsSource } from './metricsSource';
import { roomService, type RoomService, type RoomServiceOptions } from './roomService';
import { roomsReader, type RoomsSnapshot } from './roomsReader';
import { participantTokens, publisherTokens, roomPublisher, viewerTokens } from './viewerTokens';
import { whipEndpoint } from './whipEndpoint';

/** Process name of the server, OpenVidu 3's build included. */
const processName = 'livekit-server';

/**
 * LiveKit, and OpenVidu 3, which has the same API: a room is a stream. API key and secret give its rooms, its
 * Prometheus endpoint gives traffic, process and GC pauses; either is enough to start with.
 */
export function livekitServer(access: ServerAccess): PolledServer {
  const { who, settings, http, clock, remark } = access;
  const base = apiBase(settings.url);
  const { apiKey } = settings;
  const hasSecret = (): boolean => Boolean(access.secrets().apiSecret);
  const asked: RoomServiceOptions | undefined =
    base !== undefined && apiKey
      ? { who, http, base, apiKey, wall: clock.wall, remark, apiSecret: () => access.secrets().apiSecret ?? '' }
      : undefined;
  const service: RoomService | undefined = asked && roomService(asked);
  const whipBase = asked && whipEndpoint(asked);
  // LiveKit's own address entered as that of an ingress means the same.
  const ingress = settings.whip === whipBase?.url ? undefined : settings.whip;
  const readRooms = service && roomsReader(service, clock.wall, remark);
  const address = metricsUrl(settings, base);
  const metrics = address === undefined ? undefined : metricsSource({ who, http, clock, url: address });

  const nothingToRead = (): FullhouseError =>
    new FullhouseError(
      'needs-secret',
      address === undefined
        ? `${who}: LiveKit's address is missing; edit the node to add it.`
        : `${who}: LiveKit needs its API key and secret to list rooms, and its metrics can't be read either: ${metrics?.trouble() ?? 'none received'}. ${asSentence(livekitFix(who))}, or set prometheus.port in its configuration.`,
    );

  const identify = async (): Promise<ServerIdentity> => {
    const remarks: string[] = [];
    const hasMetrics = (await metrics?.read(true)) !== undefined;
    let software = 'LiveKit';
    if (service && hasSecret()) {
      await service.listRooms();
      software = (await service.openvidu()) ?? software;
      if (whipBase && !ingress) remarks.push(...(await whipBase.look()));
    } else if (hasMetrics)
      remarks.push("Without API key and secret, only its metrics are read: rooms can't be listed or closed.");
    else throw nothingToRead();
    if (!hasMetrics && metrics)
      remarks.push(
        `No traffic and no GC pauses: its metrics can't be read (${metrics.trouble() ?? 'none received'}). Set prometheus.port in its configuration, or the metrics address of this node.`,
      );
    return { software, remarks, process: processName };
  };

  const poll: PolledServer['poll'] = async () => {
    const [rooms, scraped] = await Promise.all([
      readRooms && hasSecret() ? readRooms() : undefined,
      metrics?.read(false),
    ]);
    if (!rooms && !scraped) throw nothingToRead();
    const values: Partial<Record<SeriesId, number>> = { ...scraped?.values };
    if (rooms) Object.assign(values, valuesOf(rooms));
    else {
      if (scraped?.rooms !== undefined) values.originStreams = scraped.rooms;
      if (scraped?.participants !== undefined) values.originConnections = scraped.participants;
    }
    return { values, streams: rooms?.streams ?? [] };
  };

  return {
    family: 'livekit',
    get capabilities(): NodeCapabilities {
      const hasRooms = service !== undefined && hasSecret();
      return capabilitiesOf(settings, {
        hasRooms,
        takesWhip: ingress !== undefined || (hasRooms && whipBase?.isOpen === true),
      });
    },
    identify,
    poll,
    addresses: (stream): StreamAddresses => {
      const signalling = base === undefined ? {} : { livekit: signallingUrl(base) };
      const observed = {
        play: signalling,
        ...(asked && service && hasSecret()
          ? {
              viewerTokens: viewerTokens(asked, stream),
              participantTokens: participantTokens(asked),
              publisherTokens: publisherTokens(asked),
              roomPublisher: (holdsMs: number) => roomPublisher(asked, service, stream, holdsMs),
            }
          : {}),
      };
      if (ingress) return { ...observed, publish: { ...signalling, whip: fillAddress(ingress, { stream }) } };
      if (!whipBase?.isOpen || !hasSecret()) return { ...observed, publish: signalling };
      return {
        ...observed,
        publish: { ...signalling, whip: whipBase.url },
        token: whipBase.tokensFor(stream),
      };
    },
    terminate: async (stream) => {
      if (!service || !hasSecret())
        throw new FullhouseError(
          'not-possible',
          `${who}: closing a room needs LiveKit's API key and secret; ${livekitFix(who)}.`,
        );
      try {
        await service.deleteRoom(stream);
      } catch (error) {
        if (error instanceof FullhouseError && error.code === 'livekit-not_found')
          throw new FullhouseError('no-stream', `${who}: room "${stream}" no longer exists.`, {
            cause: error,
          });
        throw error;
      }
    },
  };
}

function valuesOf({ streams, viewers, connections }: RoomsSnapshot): Partial<Record<SeriesId, number>> {
  return { originStreams: streams.length, originViewers: viewers, originConnections: connections };
}

function capabilitiesOf(
  settings: ServerAccess['settings'],
  { hasRooms, takesWhip }: { readonly hasRooms: boolean; readonly takesWhip: boolean },
): NodeCapabilities {
  return {
    // An ingress accepts WHIP, and so does a newer LiveKit; its own signalling needs tokens.
    publish: [...(takesWhip ? (['whip'] as const) : []), ...(hasRooms ? (['livekit'] as const) : [])],
    // Viewers need tokens, which are created with key and secret.
    pull: hasRooms ? ['livekit'] : [],
    // Like viewers, the player needs a token.
    play: hasRooms ? ['livekit'] : [],
    serves: ['livekit'],
    measure: [...(hasRooms ? ['streams', 'viewers'] : []), ...(settings.metrics ? ['network', 'process', 'GC'] : [])],
    terminate: hasRooms,
  };
}
