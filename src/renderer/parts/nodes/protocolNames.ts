import type { PublishProtocol } from '../../../domain/model/node';
import type { PlayProtocol } from '../../../domain/model/protocols';

/** Display names of protocols. */
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
