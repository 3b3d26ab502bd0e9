import { webRtcProtocols, type PlayProtocol } from './protocols';

interface Player {
  /** Its module `NAMEPlayback.ts` in `src/renderer/player/protocols`. */
  readonly playback: string;
  /**
   * How its media or its signalling gets to the window, which opens no connections of its own: by requests of the
   * engine, over its connections, or repackaged by ffmpeg without transcoding, since no browser library speaks it.
   */
  readonly through: ReadonlyArray<'fetch' | PlayerConnection>;
  /** The video element itself plays it from a buffer. */
  readonly isInElement?: true;
}

/** Connections that the engine opens for the control player. */
export const playerConnections = ['http', 'websocket', 'repackage'] as const;
export type PlayerConnection = (typeof playerConnections)[number];

/**
 * The protocols that the control player plays and how, in the order of preference: lowest delay and most figures first.
 */
const players = {
  whep: { playback: 'whep', through: [] },
  wcs: { playback: 'whep', through: [] },
  livekit: { playback: 'liveKit', through: ['http', 'websocket', 'fetch'] },
  'http-flv': { playback: 'flv', through: ['http'], isInElement: true },
  'ws-flv': { playback: 'flv', through: ['websocket'], isInElement: true },
  hls: { playback: 'hls', through: ['fetch'], isInElement: true },
  mjpeg: { playback: 'mjpeg', through: ['http'] },
  rtmp: { playback: 'flv', through: ['repackage'], isInElement: true },
  rtsp: { playback: 'flv', through: ['repackage'], isInElement: true },
  srt: { playback: 'flv', through: ['repackage'], isInElement: true },
} as const satisfies Readonly<Partial<Record<PlayProtocol, Player>>>;

export type PlayerProtocol = keyof typeof players;
export type PlaybackName = (typeof players)[PlayerProtocol]['playback'];
export const playerProtocols = Object.keys(players) as readonly PlayerProtocol[];
const rows: Readonly<Record<PlayerProtocol, Player>> = players;

/** Those of the given protocols that the control player plays, in its order of preference. */
export function playableOf(served: readonly PlayProtocol[]): PlayerProtocol[] {
  return playerProtocols.filter((each) => served.includes(each));
}

/** The module that plays it. */
export const playbackNameOf = (protocol: PlayerProtocol): PlaybackName => players[protocol].playback;

/** Protocols whose playback gets its media, or its signalling, in this way. */
export const playedThrough = (way: Player['through'][number]): readonly PlayerProtocol[] =>
  playerProtocols.filter((protocol) => rows[protocol].through.includes(way));

/** Whether no browser library speaks it, so that ffmpeg on this machine repackages it without transcoding. */
export const isRepackaged = (protocol: PlayerProtocol): boolean => rows[protocol].through.includes('repackage');

/** Whether it is played over WebRTC, with the figures of `getStats`. */
export const isWebRtc = (protocol: PlayerProtocol): boolean => webRtcProtocols.includes(protocol);

/** Whether the video element itself plays it from a buffer, so that its sound is measured at the element. */
export const playsInElement = (protocol: PlayerProtocol): boolean => rows[protocol].isInElement === true;
