import type { OriginSettings } from '../model/nodeSettings';
import type { PlayProtocol } from '../model/protocols';
import { traitsOf } from '../model/serverFamilies';

/** The configured addresses by protocol; FLV is pulled over HTTP or WebSocket, as its scheme says. */
export function configuredPlay({
  whep,
  rtmp,
  hls,
  dash,
  flv,
  mjpeg,
  rtsp,
  srt,
  turn,
}: OriginSettings): Readonly<Partial<Record<PlayProtocol, string>>> {
  return {
    ...(whep ? { whep } : {}),
    ...(rtmp ? { rtmp } : {}),
    ...(hls ? { hls } : {}),
    ...(dash ? { dash } : {}),
    ...flvPlay(flv),
    ...(mjpeg ? { mjpeg } : {}),
    ...(rtsp ? { rtsp } : {}),
    ...(srt ? { srt } : {}),
    ...(turn ? { turn } : {}),
  };
}

/** The protocol of an FLV address, as its scheme says. */
export function flvPlay(address: string | undefined): Readonly<Partial<Record<'http-flv' | 'ws-flv', string>>> {
  return address ? { [/^wss?:/i.test(address) ? 'ws-flv' : 'http-flv']: address } : {};
}

/**
 * The protocols over which a server may have streams, whatever it answers; undefined for a family whose addresses are
 * those of its settings alone.
 */
export function possiblePlay(origin: OriginSettings): readonly PlayProtocol[] | undefined {
  const { play } = traitsOf(origin.server);
  if (!play) return undefined;
  const used = Object.fromEntries(play.settings.map((key) => [key, origin[key]]));
  const configured = Object.keys(configuredPlay({ server: origin.server, ...used })) as PlayProtocol[];
  return [...new Set([...play.own, ...configured])];
}
