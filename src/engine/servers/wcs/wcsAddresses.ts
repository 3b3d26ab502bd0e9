import type { OriginSettings } from '../../../domain/nodeSettings';
import { fillAddress } from '../addressTemplate';
import type { StreamAddresses } from '../adapter';
import { restBase } from './wcsRest';

/** Ports that a WCS has unless somebody changed them; the second of a pair is the one over TLS. */
export const wcsPorts = {
  rest: [8081, 8444],
  signalling: [8080, 8443],
  hls: [8082, 8445],
  rtmp: 1935,
  rtsp: 554,
} as const;

/**
 * Where a stream of this server is watched and published. By WCS's own signalling every stream goes by one WebSocket address, the
 * stream's name goes in the messages. WHIP and WHEP are no part of WCS: only when the node's settings name them.
 */
export function wcsAddresses(settings: OriginSettings, stream: string): StreamAddresses {
  const name = encodeURIComponent(stream);
  const filled = (template: string | undefined): string | undefined =>
    template === undefined ? undefined : fillAddress(template, { stream });
  const usual = usualAddresses(settings, name);
  const rtmp = filled(settings.rtmp) ?? usual?.rtmp;
  const whep = filled(settings.whep);
  const whip = filled(settings.whip);
  const flv = filled(settings.flv);
  const hls = filled(settings.hls) ?? usual?.hls;
  const wcs = settings.ws ?? usual?.wcs;
  return {
    play: {
      ...(wcs ? { wcs } : {}),
      ...(rtmp ? { rtmp } : {}),
      ...(hls ? { hls } : {}),
      ...(usual ? { rtsp: usual.rtsp } : {}),
      ...(whep ? { whep } : {}),
      ...(flv ? { 'http-flv': flv } : {}),
    },
    publish: { ...(wcs ? { wcs } : {}), ...(rtmp ? { rtmp } : {}), ...(whip ? { whip } : {}) },
  };
}

function usualAddresses(
  { url }: OriginSettings,
  name: string,
): Record<'wcs' | 'rtmp' | 'hls' | 'rtsp', string> | undefined {
  if (!url) return undefined;
  const { protocol, hostname } = new URL(restBase(url));
  const isSecure = protocol === 'https:';
  const [plain, secure] = wcsPorts.signalling;
  const [hlsPlain, hlsSecure] = wcsPorts.hls;
  return {
    wcs: isSecure ? `wss://${hostname}:${secure}` : `ws://${hostname}:${plain}`,
    rtmp: `rtmp://${hostname}:${wcsPorts.rtmp}/live/${name}`,
    hls: `${protocol}//${hostname}:${isSecure ? hlsSecure : hlsPlain}/${name}/${name}.m3u8`,
    rtsp: `rtsp://${hostname}:${wcsPorts.rtsp}/${name}`,
  };
}
