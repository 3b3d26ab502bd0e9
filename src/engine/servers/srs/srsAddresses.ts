import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { configuredPlay } from '../../../domain/node/streamAddresses';
import { fillAddress } from '../addressTemplate';
import type { StreamAddresses } from '../adapter';
import type { WhepPath } from './whepPath';

/** Address details observed on the server. */
export interface SrsPorts {
  /** Port that a publisher connected to; 1935 until one connects. */
  readonly rtmp: number;
  /** Port of the HTTP server for HTTP-FLV and HLS; undefined when it is off. */
  readonly media: number | undefined;
  /** It writes HLS, as far as known. */
  readonly hls: boolean;
  /** WHIP and WHEP exist since SRS 5. */
  readonly webrtc: boolean;
  readonly whepPath: WhepPath;
}

export const defaultPorts: SrsPorts = { rtmp: 1935, media: 8080, hls: false, webrtc: true, whepPath: 'whep' };

/** Addresses of streams on an HTTP server of SRS. */
export const mediaAddresses = (origin: string): { readonly flv: string; readonly hls: string } => ({
  flv: `${origin}/{app}/{stream}.flv`,
  hls: `${origin}/{app}/{stream}.m3u8`,
});

/** Where a stream is pulled and published: as configured, else SRS's defaults. */
export function srsAddresses(settings: OriginSettings, base: string, ports: SrsPorts, name: string): StreamAddresses {
  const api = new URL(base);
  const { app, stream, vhost } = readName(name);
  const host = api.hostname;
  const media = ports.media === undefined ? undefined : mediaAddresses(`http://${host}:${ports.media}`);
  const fill = (own: string | undefined, usual: string | undefined): string | undefined => {
    const template = own ?? usual;
    if (template === undefined) return undefined;
    // A configured address without `{app}` has the entire name in place of the stream.
    const whole = own === undefined || own.includes('{app}') ? stream : writeName({ app, stream });
    const address = fillAddress(template, { app, stream: whole });
    if (own !== undefined || vhost === undefined) return address;
    return `${address}${address.includes('?') ? '&' : '?'}vhost=${encodeURIComponent(vhost)}`;
  };
  const rtc = (verb: string): string | undefined =>
    ports.webrtc ? `${api.origin}/rtc/v1/${verb}/?app={app}&stream={stream}` : undefined;
  const whep = fill(settings.whep, rtc(ports.whepPath));
  const whip = fill(settings.whip, rtc('whip'));
  const rtmp = fill(settings.rtmp, `rtmp://${host}${ports.rtmp === 1935 ? '' : `:${ports.rtmp}`}/{app}/{stream}`);
  const flv = fill(settings.flv, media?.flv);
  const hls = fill(settings.hls, ports.hls ? media?.hls : undefined);
  return {
    play: {
      ...(whep ? { whep } : {}),
      ...(rtmp ? { rtmp } : {}),
      ...configuredPlay({ flv }),
      ...(hls ? { hls } : {}),
    },
    publish: { ...(whip ? { whip } : {}), ...(rtmp ? { rtmp } : {}) },
  };
}

/** The port in an address such as `rtmp://10.0.0.1:1936/live`; undefined for other addresses and for none. */
export function rtmpPortOf(tcUrl: string | undefined): number | undefined {
  const match = /^rtmp:\/\/(?:\[[^\]]*\]|[^:/]+)(?::(\d+))?\//.exec(`${tcUrl ?? ''}/`);
  return match ? Number(match[1] ?? 1935) : undefined;
}

/** The parts of a stream's name on SRS. */
interface SrsName {
  readonly app: string;
  readonly stream: string;
  /** Absent for the default one. */
  readonly vhost?: string;
}

const defaultApp = 'live';
const defaultVhost = '__defaultVhost__';

/** `cam`, `app/cam`, and with a named vhost `app/cam?vhost=name`, as in SRS's own addresses. */
export function writeName({ app, stream, vhost }: SrsName): string {
  const name = app === defaultApp && !stream.includes('/') ? stream : `${app}/${stream}`;
  return vhost === undefined || vhost === defaultVhost ? name : `${name}?vhost=${vhost}`;
}

export function readName(name: string): SrsName {
  const [path = '', query] = name.split('?vhost=', 2);
  const slash = path.lastIndexOf('/');
  return {
    app: slash <= 0 ? defaultApp : path.slice(0, slash),
    stream: path.slice(slash + 1),
    ...(query ? { vhost: query } : {}),
  };
}
