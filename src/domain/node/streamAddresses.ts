import type { OriginSettings, ServerFamily } from '../model/nodeSettings';
import type { PlayProtocol } from '../model/protocols';

/** Settings with the URL of a stream, `{stream}` in place of its name. */
export const urlKeys = [
  'whep',
  'whip',
  'rtmp',
  'hls',
  'dash',
  'flv',
  'mjpeg',
  'rtsp',
  'srt',
] as const satisfies ReadonlyArray<keyof OriginSettings>;
/** The same, and the address of a TURN server, which has no streams. */
export const streamAddressKeys = [...urlKeys, 'turn'] as const;
export type StreamAddressKey = (typeof streamAddressKeys)[number];

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

/** Protocols of the lab. */
export const labProtocols = { play: ['whep'], publish: ['whip'] } as const;

interface FamilyPlay {
  /** What a server may have by itself: its version and its configuration decide. */
  readonly own: readonly PlayProtocol[];
  /** Settings with addresses that are used. */
  readonly settings: ReadonlyArray<(typeof urlKeys)[number]>;
}

const familyPlay: Readonly<Partial<Record<ServerFamily, FamilyPlay>>> = {
  lab: { own: labProtocols.play, settings: [] },
  wcs: { own: ['wcs', 'rtmp', 'hls', 'rtsp'], settings: ['rtmp', 'hls', 'whep', 'flv'] },
  srs: { own: ['whep', 'rtmp', 'http-flv', 'hls'], settings: ['whep', 'rtmp', 'flv', 'hls'] },
  'nginx-rtmp': { own: ['rtmp', 'hls'], settings: ['rtmp', 'hls', 'flv'] },
};

/**
 * The protocols over which a server may have streams, whatever it answers; undefined for a family whose addresses are
 * those of its settings alone.
 */
export function possiblePlay(origin: OriginSettings): readonly PlayProtocol[] | undefined {
  const { own, settings } = familyPlay[origin.server] ?? {};
  if (!own || !settings) return undefined;
  const used = Object.fromEntries(settings.map((key) => [key, origin[key]]));
  const configured = Object.keys(configuredPlay({ server: origin.server, ...used })) as PlayProtocol[];
  return [...new Set([...own, ...configured])];
}
