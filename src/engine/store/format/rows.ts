import { z } from 'zod';
import { seriesId } from '../../../domain/model/schema';
import { isTime } from '../bounds';
import { failureStages, runEvent } from '../../../domain/model/run';
import { count, text, timeMs } from './values';

/** JSON in rows of tables other than `meta`. */

/** Annotations have a table of their own and are added when a run is read. */
export const savedEvent = runEvent.transform(({ annotation: _, ...event }) => event);

/** Names in details of viewers come from testers. */
const short = z.string().max(200);

const detail = z.object({
  timeline: z
    .array(
      z.object({
        atMs: z.number(),
        name: short,
        forMs: z.number().nonnegative().optional(),
        reason: short.optional(),
      }),
    )
    .max(1000),
  missed: count.optional(),
  route: z
    .object({
      protocol: short,
      local: short.optional(),
      localType: short.optional(),
      remote: short.optional(),
      remoteType: short.optional(),
      relay: short.optional(),
    })
    .optional(),
  streams: z
    .array(
      z.object({
        kind: short,
        codec: short.optional(),
        width: count.optional(),
        height: count.optional(),
        layers: z.array(z.object({ width: count, height: count, ms: z.number() })).optional(),
        switches: count.optional(),
        payloadType: count.optional(),
        clockRate: z.number().optional(),
        ssrc: count.optional(),
        packets: count,
        bytes: count.optional(),
        lost: count.optional(),
        repaired: count.optional(),
        late: count.optional(),
        jitterMs: z.number().optional(),
      }),
    )
    .max(64)
    .optional(),
  counters: z.record(short, z.number()).optional(),
});

export const savedViewer = z.object({
  tester: text,
  job: text,
  viewer: count,
  state: z.enum(['waiting', 'connecting', 'connected', 'failed', 'disconnecting', 'disconnected']),
  arrivedMs: timeMs.optional(),
  connectMs: z.number().optional(),
  firstFrameMs: z.number().optional(),
  packets: count,
  bytes: count,
  lost: count,
  lossPercent: z.number().optional(),
  jitterMs: z.number().optional(),
  frames: count,
  fps: z.number().optional(),
  stalls: count,
  stalledMs: z.number(),
  freezeCount: count.optional(),
  freezeDurationMs: z.number().optional(),
  roundTripMs: z.number().optional(),
  delayMs: z.number().optional(),
  delayMethod: text.optional(),
  degraded: z.boolean(),
  degradedReason: text.optional(),
  degradedMs: z.number().optional(),
  failure: z.object({ stage: z.enum(failureStages), cause: text, detail: text }).optional(),
  detail: detail.optional(),
});

export const savedAnnotation = z.object({
  uid: text,
  timeMs: z.number().refine(isTime),
  author: text,
  writtenBy: text,
  text,
  writtenMs: z.number(),
  editedMs: z.number().optional(),
  isRemoved: z.boolean().optional(),
});

/** Figures of a series over the complete run: derived, and recomputed if invalid. */
export const savedFigures = z.array(
  z.object({
    node: text,
    series: seriesId,
    firstMs: z.number(),
    lastMs: z.number(),
    maxMs: z.number(),
    count: z.number(),
    last: z.number(),
    min: z.number(),
    max: z.number(),
    mean: z.number(),
    p50: z.number(),
    p95: z.number(),
    p99: z.number(),
  }),
);
