import { z } from 'zod';
import { validParts } from '../../links/http/validParts';
import { parseForeignXml } from '../foreignXml';
import { readStatJson, type StatTree } from './statJson';
import { plainText, extractViewers, type StatViewer } from './statText';

/** One stream of the stat page. */
export interface StatStream {
  readonly app: string;
  readonly name: string;
  /** Index of nginx's `server` block; the first is 0. */
  readonly server: number;
  readonly isPublished: boolean;
  readonly publisherAddress?: string;
  /** Since its first client connected, by nginx's clock. */
  readonly ageMs?: number;
  /** Since the publisher connected. */
  readonly publishedForMs?: number;
  /** Mean of the last 10 s; keeps its last value once the publisher is gone, and is 0 in the first 10 s. */
  readonly bwInBps: number;
  readonly bytesIn: number;
  readonly viewerCount: number;
  /** Empty where the page lists no clients (`rtmp_stat live`). */
  readonly viewers: readonly StatViewer[];
  readonly video?: {
    readonly codec?: string;
    readonly width?: number;
    readonly height?: number;
    readonly fps?: number;
  };
  readonly audioCodec?: string;
}

/** nginx-http-flv-module is nginx-rtmp with HTTP-FLV, and a page in XML or JSON. */
export type StatModule = 'nginx-rtmp' | 'nginx-http-flv';

export interface Stat {
  readonly module: StatModule;
  readonly nginxVersion: string;
  readonly moduleVersion: string;
  readonly pid?: number;
  readonly uptimeS?: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Current connections, publishers and viewers. */
  readonly clients: number;
  /** RTMP ports of nginx's `server` blocks; nginx-rtmp does not report them. */
  readonly ports: readonly number[];
  readonly streams: readonly StatStream[];
}

const lists: ReadonlySet<string> = new Set(['server', 'application', 'stream', 'client']);

const text = z.string().optional();
// The parser returns '' for an empty element.
const branch = <T extends z.ZodType>(schema: T): z.ZodOptional<z.ZodPreprocess<T>> =>
  z.preprocess((value) => (value === '' ? {} : value), schema).optional();

const streamSchema = z.object({
  // Absent in JSON without clients.
  index: text,
  name: text,
  time: text,
  bw_in: text,
  bytes_in: text,
  nclients: text,
  publishing: z.unknown().optional(),
  client: z.array(z.looseObject({ address: text, time: text })).optional(),
  meta: branch(
    z.object({
      video: branch(z.object({ codec: text, width: text, height: text, frame_rate: text })),
      audio: branch(z.object({ codec: text })),
    }),
  ),
});
const statSchema = z.object({
  statistics: z.object({
    nginx_version: text,
    module_version: z.string(),
    pid: text,
    uptime: text,
    bytes_in: text,
    bytes_out: text,
    server: z
      .array(
        branch(
          z.object({
            port: text,
            application: z
              .array(
                branch(
                  z.object({
                    name: text,
                    live: branch(z.object({ nclients: text, stream: z.array(streamSchema).optional() })),
                  }),
                ),
              )
              .optional(),
          }),
        ),
      )
      .optional(),
  }),
});

const figure = (value: string | undefined): number | undefined => {
  const number = Number(value);
  return value === undefined || value === '' || !Number.isFinite(number) ? undefined : number;
};

/**
 * Reads a stat page; undefined when it is something else, incomplete or beyond all bounds. `onInvalid` gets what was left
 * out.
 */
export function readStat(page: string, onInvalid?: (invalid: readonly string[]) => void): Stat | undefined {
  const read = page.trimStart().startsWith('{') ? readStatJson(page) : readStatXml(page);
  const statistics = read && statisticsOf(read.tree);
  if (!read || !statistics) return undefined;
  const { viewers } = read;
  const parts = validParts(statSchema, { statistics: statistics.content });
  if (!parts.isUsable) return undefined;
  if (parts.invalid.length > 0) onInvalid?.(parts.invalid);
  const { statistics: rtmp } = parts.data;
  const applications = (rtmp.server ?? []).flatMap((server, index) =>
    (server?.application ?? []).flatMap((application) => (application ? [{ ...application, server: index }] : [])),
  );
  return {
    module: statistics.module,
    nginxVersion: rtmp.nginx_version ?? '',
    moduleVersion: rtmp.module_version,
    pid: figure(rtmp.pid),
    uptimeS: figure(rtmp.uptime),
    bytesIn: figure(rtmp.bytes_in) ?? 0,
    bytesOut: figure(rtmp.bytes_out) ?? 0,
    clients: applications.reduce((sum, { live }) => sum + (figure(live?.nclients) ?? 0), 0),
    ports: (rtmp.server ?? []).flatMap((server) => figure(server?.port) ?? []),
    streams: applications.flatMap(({ name, server, live }) =>
      (live?.stream ?? []).map((stream) =>
        readStream(stream, {
          app: plainText(name ?? ''),
          server,
          viewers: viewers[Number(stream.index)] ?? [],
        }),
      ),
    ),
  };
}

function readStatXml(page: string): StatTree | undefined {
  if (!/<\/(rtmp|http-flv)>\s*$/.test(page)) return undefined;
  const { xml, viewers } = extractViewers(page);
  const tree = parseForeignXml(xml, lists);
  return tree === undefined ? undefined : { tree, viewers };
}

/** The element with the statistics, and which module it is of. */
function statisticsOf(
  tree: unknown,
): { readonly module: StatModule; readonly content: Readonly<Record<string, unknown>> } | undefined {
  const roots = z.looseObject({ rtmp: statisticsRoot, 'http-flv': statisticsRoot }).safeParse(tree).data;
  const flv = roots?.['http-flv'];
  const content = roots?.rtmp ?? flv;
  if (!content) return undefined;
  const version = content['nginx_rtmp_version'] ?? content['nginx_http_flv_version'];
  return { module: flv ? 'nginx-http-flv' : 'nginx-rtmp', content: { ...content, module_version: version } };
}
const statisticsRoot = z.record(z.string(), z.unknown()).optional();

function readStream(
  raw: z.infer<typeof streamSchema>,
  place: { readonly app: string; readonly server: number; readonly viewers: readonly StatViewer[] },
): StatStream {
  const publisher = raw.client?.find((client) => 'publishing' in client);
  const { video, audio } = raw.meta ?? {};
  const fps = figure(video?.frame_rate);
  const isPublished = raw.publishing !== undefined;
  return {
    ...place,
    name: plainText(raw.name ?? ''),
    isPublished,
    publisherAddress: publisher?.address,
    ageMs: figure(raw.time),
    publishedForMs: isPublished ? (figure(publisher?.time) ?? figure(raw.time)) : undefined,
    bwInBps: figure(raw.bw_in) ?? 0,
    bytesIn: figure(raw.bytes_in) ?? 0,
    viewerCount: Math.max(0, (figure(raw.nclients) ?? place.viewers.length) - (isPublished ? 1 : 0)),
    ...(video
      ? {
          video: {
            codec: video.codec,
            width: figure(video.width),
            height: figure(video.height),
            ...(fps ? { fps } : {}),
          },
        }
      : {}),
    audioCodec: audio?.codec,
  };
}
