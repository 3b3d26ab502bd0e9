import type { OriginSettings } from '../../../domain/model/nodeSettings';
import { configuredPlay } from '../../../domain/node/streamAddresses';
import { fillAddress } from '../addressTemplate';
import type { StreamAddresses } from '../adapter';

/**
 * Where nginx-rtmp serves HLS beside its stat page, tried when nothing is configured; `{name}` is the stream without
 * its app.
 */
export const hlsCandidates = ['/hls/{name}.m3u8', '/hls/{name}/index.m3u8'] as const;

/** Where nginx-http-flv-module serves HTTP-FLV, by its documentation; its location is the operator's choice. */
export const flvCandidates = ['/live', '/flv'] as const;

/** The address of a stream over HTTP-FLV at a location; without the port it is that of the first `server` block. */
export const flvTemplate = (location: string, port: number | undefined): string =>
  `${location}?${port === undefined ? '' : `port=${port}&`}app={app}&stream={stream}`;

/** What is known beside the settings. */
export interface NginxGuesses {
  /** Templates that responded. */
  readonly hls?: string | undefined;
  readonly flv?: string | undefined;
  /** RTMP ports of the `server` blocks, where the stat page reports them. */
  readonly ports?: readonly number[];
}

/**
 * Where a stream is pulled and published. A stream in another `server` block has no known address unless its port is
 * known.
 */
export function nginxAddresses(
  settings: OriginSettings,
  statUrl: string,
  { hls, flv, ports = [] }: NginxGuesses,
  name: string,
): StreamAddresses {
  const { app, stream, server } = readName(name);
  const fill = (template: string): string =>
    fillAddress(template, {
      app,
      name: stream,
      stream: template.includes('{app}') ? stream : writeName({ app, stream, server: 0 }),
    });
  const hlsTemplate = settings.hls ?? hls;
  const port = ports[server];
  if (server > 0 && !settings.rtmp && port === undefined) return { play: {}, publish: {} };
  const host = `${new URL(statUrl).hostname}${port === undefined || port === 1935 ? '' : `:${port}`}`;
  const rtmp = fill(settings.rtmp ?? `rtmp://${host}/{app}/{stream}`);
  // A guess is for the port of the first block.
  const flvFound = settings.flv ?? (server > 0 ? undefined : flv);
  return {
    play: {
      rtmp,
      ...(hlsTemplate ? { hls: fill(hlsTemplate) } : {}),
      ...configuredPlay({ flv: flvFound && fill(flvFound) }),
    },
    publish: { rtmp },
  };
}

/** The control module beside a stat page: `/stat` has `/control`, `/rtmp/stat.xml` has `/rtmp/control`. */
export function controlUrlOf(statUrl: string): string {
  const url = new URL('control', statUrl);
  url.search = '';
  return url.href;
}

/** The parts of a stream's name on nginx-rtmp. */
interface RtmpName {
  readonly app: string;
  readonly stream: string;
  /** Index of nginx's `server` block, where it is not the first. */
  readonly server: number;
}

const defaultApp = 'live';

/** `cam` in the app `live`, else `app/cam`; the number of a `server` block other than the first is appended. */
export function writeName({ app, stream, server }: RtmpName): string {
  const name = app === defaultApp && !stream.includes('/') ? stream : `${app}/${stream}`;
  return server === 0 ? name : `${name}?srv=${server}`;
}

export function readName(name: string): RtmpName {
  const match = /^(?:([^/]+)\/)?(.*?)(?:\?srv=(\d+))?$/.exec(name);
  return { app: match?.[1] ?? defaultApp, stream: match?.[2] ?? '', server: Number(match?.[3] ?? 0) };
}
