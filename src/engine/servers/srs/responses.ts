import { z } from 'zod';

/** SRS writes some numbers as strings, e.g. its pid. */
const figure = z.union([
  z.number(),
  z
    .string()
    .regex(/^-?\d+(\.\d+)?$/)
    .transform(Number),
]);
const maybe = figure.optional();
/** A whole number in SRS 2 and 3, a string like `vid-8f3a` since SRS 4. */
const id = z.union([z.string(), z.number()]).transform(String);

/**
 * Every response of the API. An error is HTTP 200 with a `code` other than 0 and nothing else; an unknown path is a
 * list of `urls`.
 */
export const envelope = z.looseObject({ code: figure, urls: z.unknown().optional() });

export const versionsResponse = z.object({
  pid: maybe,
  data: z.object({ major: figure, version: z.string() }),
});

export const summariesResponse = z.object({
  data: z.object({
    now_ms: maybe,
    self: z
      .object({
        version: z.string().optional(),
        pid: maybe,
        /** A fraction of one core (1 is one core); the exporter has it in percent. */
        cpu_percent: maybe,
        mem_kbyte: maybe,
      })
      .default({}),
    system: z
      .object({
        /** When SRS last summed up the bytes below and those of its streams: once every few seconds. */
        srs_sample_time: maybe,
        srs_recv_bytes: maybe,
        srs_send_bytes: maybe,
        conn_srs: maybe,
      })
      .default({}),
  }),
});
export type Summaries = z.infer<typeof summariesResponse>['data'];

const srsStream = z.object({
  id,
  name: z.string(),
  app: z.string().default('live'),
  vhost: id.optional(),
  tcUrl: z.string().optional(),
  /** Includes the publisher. */
  clients: figure.default(0),
  /** Video frames so far; stays 0 for WebRTC. */
  frames: maybe,
  /** SRS's clock at this response. */
  live_ms: maybe,
  publish: z.object({ active: z.boolean().default(false), cid: id.optional() }).optional(),
  video: z.object({ codec: z.string().optional(), width: maybe, height: maybe }).nullish(),
  audio: z.object({ codec: z.string().optional() }).nullish(),
});
export type SrsStream = z.infer<typeof srsStream>;
export const streamsResponse = z.object({ streams: z.array(srsStream).default([]) });

const srsClient = z.object({
  id,
  /** e.g. `rtc-publish`, `fmle-publish`, `rtmp-play`. */
  type: z.string().optional(),
  ip: z.string().optional(),
  publish: z.boolean().optional(),
  /** Id of the stream that it publishes or plays. */
  stream: id.optional(),
  /** Seconds since it connected. */
  alive: maybe,
  recv_bytes: maybe,
  kbps: z.object({ recv_30s: maybe }).optional(),
});
export type SrsClient = z.infer<typeof srsClient>;
export const clientResponse = z.object({ client: srsClient });
export const clientsResponse = z.object({ clients: z.array(srsClient).default([]) });

export const vhostsResponse = z.object({
  vhosts: z.array(z.object({ id, name: z.string(), hls: z.object({ enabled: z.boolean() }).optional() })),
});

/** Whether this is a response of this API at all. */
export function isSrsAnswer(body: string): boolean {
  try {
    return envelope.safeParse(JSON.parse(body)).success;
  } catch {
    return false;
  }
}
