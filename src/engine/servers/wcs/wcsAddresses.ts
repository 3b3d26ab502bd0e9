import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { configuredPlay } from '../../../domain/node/streamAddresses';
import { fillAddress } from '../addressTemplate';
import type { StreamAddresses } from '../adapter';
import { restBase } from './wcsRest';

/** Default ports of a WCS; the second of a pair is the one over TLS. */
export const wcsPorts = {
  rest: [8081, 8444],
  signalling: [8080, 8443],
  hls: [8082, 8445],
  rtmp: 1935,
  rtsp: 554,
} as const;

/**
 * Where a stream of this server is pulled and published. WCS signalling uses one WebSocket address for all streams; the
 * messages contain the stream's name. WHIP and WHEP are not part of WCS: only where configured for the node.
 */
export function wcsAddresses(settings: OriginSettings, stream: string): StreamAddresses {
  const name = encodeURIComponent(stream);
  const filled = (template: string | undefined): string | undefined =>
    template === undefined ? undefined : fillAddress(template, { stream });
  const defaults = defaultAddresses(settings, name);
  const rtmp = filled(settings.rtmp) ?? defaults?.rtmp;
  const whep = filled(settings.whep);
  const whip = filled(settings.whip);
  const flv = filled(settings.flv);
  const hls = filled(settings.hls) ?? defaults?.hls;
  const wcs = settings.ws ?? defaults?.wcs;
  return {
    play: {
      ...(wcs ? { wcs } : {}),
      ...(rtmp ? { rtmp } : {}),
      ...(hls ? { hls } : {}),
      ...(defaults ? { rtsp: defaults.rtsp } : {}),
      ...(whep ? { whep } : {}),
      ...configuredPlay({ flv }),
    },
    publish: { ...(wcs ? { wcs } : {}), ...(rtmp ? { rtmp } : {}), ...(whip ? { whip } : {}) },
  };
}

function defaultAddresses(
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
