import { z } from 'zod';
import { numberOf } from './statistics/statistics';

/**
 * Responses of the REST API. Unknown fields are tolerated, and a known one of an unexpected type counts as
 * absent: one odd field must not hide a thousand streams. An object without its name or id is still listed.
 */

const text = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'string' && value !== '' ? value : undefined));
const flag = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === 'boolean' ? value : undefined));
const figure = z.unknown().optional().transform(numberOf);

export const pullObject = z.looseObject({
  localMediaSessionId: text,
  remoteMediaSessionId: text,
  localStreamName: text,
  remoteStreamName: text,
  uri: text,
  /** NEW, PROCESSED_REMOTE and others; an unknown one is no error. */
  status: text,
});
export type WcsPull = z.output<typeof pullObject>;

/** Per-stream metrics by their names, e.g. `VIDEO_FPS`; rates are bit/s. */
const metricsObject = z.record(z.string(), z.unknown()).transform((raw): Readonly<Record<string, number>> => {
  const metrics: Record<string, number> = {};
  for (const [name, value] of Object.entries(raw)) {
    const parsed = numberOf(value);
    if (parsed !== undefined) metrics[name] = parsed;
  }
  return metrics;
});
export type WcsMetrics = z.output<typeof metricsObject>;

export const streamObject = z.looseObject({
  mediaSessionId: text,
  sessionId: text,
  name: text,
  published: flag,
  status: text,
  mediaProvider: text,
  /** The offer of its session, several kB. */
  sdp: text,
  videoCodec: text,
  audioCodec: text,
  width: figure,
  height: figure,
  fps: figure,
  /** Epoch ms by the server's clock. */
  createDate: figure,
  metrics: metricsObject.optional().catch(undefined),
});
export type WcsStream = z.output<typeof streamObject>;

export const pushObject = z.looseObject({
  mediaSessionId: text,
  streamName: text,
  rtmpUrl: text,
});
export type WcsPush = z.output<typeof pushObject>;

export const rtspObject = z.looseObject({ uri: text, status: text });
export type WcsRtsp = z.output<typeof rtspObject>;
