import type { PlayProtocol, PublishProtocol } from '../../domain/node';

/** Protocols as people write them. */
export const protocolNames: Readonly<Record<PlayProtocol | PublishProtocol, string>> = {
  whip: 'WHIP',
  whep: 'WHEP',
  rtmp: 'RTMP',
  rtsp: 'RTSP',
  hls: 'HLS',
  'http-flv': 'HTTP-FLV',
  wcs: 'WCS',
  livekit: 'LiveKit',
};
