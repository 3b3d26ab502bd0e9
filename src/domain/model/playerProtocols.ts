import { webRtcProtocols, type PlayProtocol } from './protocols';

/** Protocols that the control player plays, in the order of preference: lowest delay and most figures first. */
export const playerProtocols = [
  'whep',
  'wcs',
  'livekit',
  'http-flv',
  'ws-flv',
  'hls',
  'mjpeg',
  'rtmp',
  'rtsp',
  'srt',
] as const satisfies readonly PlayProtocol[];

export type PlayerProtocol = (typeof playerProtocols)[number];

/** Those of the given protocols that the control player plays, in its order of preference. */
export function playableOf(served: readonly PlayProtocol[]): PlayerProtocol[] {
  return playerProtocols.filter((each) => served.includes(each));
}

const repackaged: ReadonlySet<PlayerProtocol> = new Set(['rtmp', 'rtsp', 'srt']);

/** Whether no browser library speaks it, so that ffmpeg on this machine repackages it without transcoding. */
export const isRepackaged = (protocol: PlayerProtocol): boolean => repackaged.has(protocol);

/** Whether it is played over WebRTC, with the figures of `getStats`. */
export const isWebRtc = (protocol: PlayerProtocol): boolean => webRtcProtocols.includes(protocol);

/** Whether the video element itself plays it from a buffer, so that its sound is measured at the element. */
export const playsInElement = (protocol: PlayerProtocol): boolean => !isWebRtc(protocol) && protocol !== 'mjpeg';
