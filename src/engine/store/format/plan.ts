import { z } from 'zod';
import { nodeName, streamName } from '../../../contract/names';
import { seriesId } from '../../../domain/model/schema';
import { maxLayers, publisherProtocols } from '../../../domain/model/plan';
import { pullProtocols } from '../../../domain/model/protocols';
import { nodeSettings, reference } from './node';
import { count, durationMs, timeMs } from './values';

/** The plan as saved in a run. */

const viewers = count;
const ratePerSecond = z.number().positive();

const stage = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ramp'), viewers, overMs: durationMs }),
  z.object({ kind: z.literal('hold'), forMs: durationMs }),
  z.object({ kind: z.literal('step'), viewers, by: z.number().int().positive(), holdMs: durationMs, ratePerSecond }),
  z.object({ kind: z.literal('spike'), viewers, forMs: durationMs, ratePerSecond }),
  z.object({ kind: z.literal('soak'), forMs: durationMs }),
  z.object({
    kind: z.literal('churn'),
    forMs: durationMs,
    replacePercent: z.number().positive().max(100),
    everyMs: durationMs,
    ratePerSecond,
  }),
]);

const share = z.number().min(0).max(100);
const ms = z.number().int().nonnegative();
const networkConditions = {
  preset: z.enum(['none', '3g', 'lte-moving', 'bad-wifi', 'satellite']).optional(),
  downKbps: z.number().positive().max(10_000_000).optional(),
  upKbps: z.number().positive().max(10_000_000).optional(),
  rttMs: ms.max(4000).optional(),
  jitterMs: ms.max(1000).optional(),
  lossPercent: share.optional(),
  burst: z.object({ p: share, r: share, h: share, k: share }).optional(),
  queueMs: ms.min(1).max(2000).optional(),
  queuePackets: z.number().int().min(1).max(10_000).optional(),
};
const network = z.object({
  ...networkConditions,
  sharedBy: z.number().int().min(1).max(10_000).optional(),
  steps: z
    .array(z.object({ ...networkConditions, atMs: durationMs }))
    .min(1)
    .max(50)
    .optional(),
});

const pull = z.object({
  stream: streamName,
  from: nodeName,
  by: z.array(nodeName).min(1),
  protocol: z.enum(pullProtocols),
  viewers: z.number().int().positive(),
  ratePerSecond,
  holdMs: timeMs,
  fidelity: z.enum(['media-only', 'browser']).optional(),
  transport: z.enum(['udp', 'tcp']).optional(),
  tracks: z.enum(['audio-video', 'audio']).optional(),
  participant: z.string().optional(),
  videos: z.number().int().min(1).max(49).optional(),
  adaptiveStream: z.string().optional(),
  cmcd: z.boolean().optional(),
  reconnect: z.boolean().optional(),
  withoutMedia: z.boolean().optional(),
  browserViewers: z.number().int().min(0).max(16).optional(),
  watchFor: z.object({ minMs: durationMs, maxMs: durationMs }).optional(),
  streams: z.number().int().min(1).max(2000).optional(),
  rooms: z.object({ size: z.number().int().min(2).max(50), source: z.string().min(1).max(1000) }).optional(),
  network: network.optional(),
  turn: z
    .object({
      share: z.number().positive().max(100),
      bitrateKbps: z.number().positive().max(100_000).optional(),
      url: z.string().min(1).max(1000).optional(),
      username: z.string().min(1).max(1000).optional(),
      password: reference,
      secret: reference,
      selfSigned: z.boolean().optional(),
    })
    .optional(),
  tokens: z
    .object({
      file: z.string().min(1).max(1000).optional(),
      template: z.string().min(1).max(1000).optional(),
      command: z.tuple([z.string()]).rest(z.string()).optional(),
      secret: reference,
      claims: z.string().min(1).max(1000).optional(),
    })
    .optional(),
  headers: z.record(z.string(), z.string()).optional(),
  label: z.string().min(1).max(60).optional(),
  weights: z.record(nodeName, z.number().positive()).optional(),
  stages: z.array(stage).min(1).max(100).optional(),
  search: z
    .object({
      fromViewers: z.number().int().positive(),
      maxViewers: z.number().int().positive(),
      settleMs: durationMs,
      measureMs: durationMs,
      repeats: z.number().int().min(1).max(20),
      precisionPercent: z.number().positive().max(50),
    })
    .optional(),
});

const comparison = z.enum(['>=', '<=']);
const expectation = z.object({ comparison, value: z.number().nonnegative(), ifMeasured: z.literal(true).optional() });
const hookTime = z.enum(['start', 'full', 'end']);

export const savedPlan = z.object({
  name: z.string().min(1).max(120),
  nodes: z.record(nodeName, nodeSettings),
  publish: z.array(
    z.object({
      stream: streamName,
      node: nodeName,
      source: z.string().min(1).max(1000),
      simulcast: z
        .array(z.string().min(1).max(1000))
        .min(1)
        .max(maxLayers - 1)
        .optional(),
      dynacast: z.boolean().optional(),
      by: nodeName.optional(),
      publishers: z.number().int().min(1).max(2000).optional(),
      oneRoom: z.boolean().optional(),
      ratePerSecond: ratePerSecond.optional(),
      protocol: z.enum(publisherProtocols).optional(),
    }),
  ),
  pull,
  also: z.array(pull).max(20).optional(),
  expect: z.object({
    connected: expectation.optional(),
    degraded: expectation.optional(),
    cpu: expectation.optional(),
    outages: expectation.optional(),
    gcPause: expectation.optional(),
  }),
  thresholds: z
    .array(
      z.object({
        series: seriesId,
        node: nodeName.optional(),
        comparison,
        value: z.number(),
        tolerancePercent: z.number().min(0).max(100).optional(),
        graceMs: timeMs.optional(),
      }),
    )
    .max(50)
    .optional(),
  stopWhen: z
    .array(
      z.object({
        what: z.union([z.enum(['degraded', 'failed', 'cpu']), seriesId]),
        node: nodeName.optional(),
        comparison: z.enum(['>', '<']),
        value: z.number(),
        forMs: timeMs,
      }),
    )
    .max(20)
    .optional(),
  schedule: z
    .object({
      // Up to the latest time with a four-digit year.
      atMs: timeMs.max(Date.UTC(10_000, 0) - 1).optional(),
      repeat: z.number().int().min(1).max(1000).optional(),
      everyMs: durationMs.optional(),
    })
    .optional(),
  hooks: z
    .array(
      z.union([
        z.object({ at: hookTime, run: z.tuple([z.string().min(1)], z.string()) }),
        z.object({ at: hookTime, post: z.string().url() }),
      ]),
    )
    .max(20)
    .optional(),
});
