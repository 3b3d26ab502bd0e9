/** Protocols for playing a stream. */
export const playProtocols = [
  'whep',
  'rtmp',
  'http-flv',
  'ws-flv',
  'hls',
  'dash',
  'mjpeg',
  'wcs',
  'livekit',
  'rtsp',
  'turn',
] as const;

export type PlayProtocol = (typeof playProtocols)[number];

/**
 * Protocols for pulling, in the order of preference. Agents support all; a WCS as tester its own WebRTC signalling
 * and RTMP.
 */
export const pullProtocols = [
  'whep',
  'wcs',
  'rtmp',
  'livekit',
  'hls',
  'dash',
  'http-flv',
  'ws-flv',
  'mjpeg',
  'turn',
] as const satisfies readonly PlayProtocol[];

export type PullProtocol = (typeof pullProtocols)[number];

export function isPullProtocol(protocol: PlayProtocol): protocol is PullProtocol {
  return (pullProtocols as readonly PlayProtocol[]).includes(protocol);
}

const overTcp: ReadonlySet<PlayProtocol> = new Set(['rtmp', 'http-flv', 'ws-flv', 'hls', 'dash', 'mjpeg']);

/** Whether media is sent over TCP, which hides loss and jitter from the receiver. */
export const isOverTcp = (protocol: PlayProtocol): boolean => overTcp.has(protocol);

/** Display names of the protocols for playing and publishing. */
export const protocolNames: Readonly<Record<PlayProtocol | 'whip', string>> = {
  whip: 'WHIP',
  whep: 'WHEP',
  rtmp: 'RTMP',
  rtsp: 'RTSP',
  hls: 'HLS',
  dash: 'MPEG-DASH',
  'http-flv': 'HTTP-FLV',
  'ws-flv': 'WebSocket-FLV',
  mjpeg: 'MJPEG',
  wcs: 'WCS',
  livekit: 'LiveKit',
  turn: 'TURN',
};
