import type { OriginSettings } from '../model/nodeSettings';
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
