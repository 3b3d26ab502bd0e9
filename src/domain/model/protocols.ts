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
  'srt',
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
  'rtsp',
  'srt',
  'turn',
] as const satisfies readonly PlayProtocol[];

/** Protocols of a WCS as tester. */
export const wcsTesterProtocols = ['wcs', 'rtmp'] as const satisfies ReadonlyArray<(typeof pullProtocols)[number]>;

export type PullProtocol = (typeof pullProtocols)[number];

/** Protocols whose viewers use WebRTC. */
export const webRtcProtocols = ['whep', 'livekit', 'wcs'] as const satisfies readonly PullProtocol[];

export const protocolsExcept = (...others: readonly PullProtocol[]): readonly PullProtocol[] =>
  pullProtocols.filter((protocol) => !others.includes(protocol));

export function isPullProtocol(protocol: PlayProtocol): protocol is PullProtocol {
  return (pullProtocols as readonly PlayProtocol[]).includes(protocol);
}

const overTcp: ReadonlySet<PlayProtocol> = new Set(['rtmp', 'http-flv', 'ws-flv', 'hls', 'dash', 'mjpeg', 'rtsp']);

/** Whether media is sent over TCP, which hides loss and jitter from the receiver. */
export const isOverTcp = (protocol: PlayProtocol): boolean => overTcp.has(protocol);

const byProcess: ReadonlySet<PlayProtocol> = new Set(['rtsp', 'srt']);

/** Whether each viewer or publisher is an ffmpeg process of its tester, of which a tester runs only tens. */
export const isByProcess = (protocol: string): boolean => (byProcess as ReadonlySet<string>).has(protocol);

/** Whether a viewer measures loss and jitter. */
export const measuresLoss = (protocol: PlayProtocol): boolean => !isOverTcp(protocol) && !isByProcess(protocol);

const withoutSession: ReadonlySet<PlayProtocol> = new Set(['hls', 'dash']);

/** Whether a viewer is a series of requests, so that it closes nothing: the server counts it until its own timeout. */
export const endsByTimeout = (protocol: PlayProtocol): boolean => withoutSession.has(protocol);

/** Processes of ffmpeg on one tester. */
export const maxProcesses = 50;

/** Display names of the protocols for playing and publishing. */
export const protocolNames: Readonly<Record<PlayProtocol | 'whip', string>> = {
  whip: 'WHIP',
  whep: 'WHEP',
  rtmp: 'RTMP',
  rtsp: 'RTSP',
  srt: 'SRT',
  hls: 'HLS',
  dash: 'MPEG-DASH',
  'http-flv': 'HTTP-FLV',
  'ws-flv': 'WebSocket-FLV',
  mjpeg: 'MJPEG',
  wcs: 'WCS',
  livekit: 'LiveKit',
  turn: 'TURN',
};
