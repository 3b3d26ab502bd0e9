/** Protocols for playing a stream. */
export const playProtocols = ['whep', 'rtmp', 'http-flv', 'hls', 'wcs', 'livekit', 'rtsp'] as const;

export type PlayProtocol = (typeof playProtocols)[number];

/** Protocols for pulling: agents use WHEP, RTMP or LiveKit's signalling, a WCS its own WebRTC signalling or RTMP. */
export const pullProtocols = ['whep', 'wcs', 'rtmp', 'livekit'] as const satisfies readonly PlayProtocol[];

export type PullProtocol = (typeof pullProtocols)[number];
