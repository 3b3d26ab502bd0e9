import { z } from 'zod';
import {
  hookMoments,
  pullProtocols,
  realisms,
  type Plan,
  type PlanSearch,
  type PlanStage,
} from '../domain/plan/plan';
import { nodeName, seriesId, streamName } from './names';
import * as n from './nodeSchemas';

const timeMs = z.number().int().nonnegative();
/** Up to the last moment that can be written with four digits of the year. */
const momentMs = timeMs.max(Date.UTC(10_000, 0) - 1);
const durationMs = z.number().int().positive();
const viewers = z.number().int().nonnegative();
const ratePerSecond = z.number().positive();

const stage: z.ZodType<PlanStage> = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ramp'), viewers, overMs: durationMs }),
  z.strictObject({ kind: z.literal('hold'), forMs: durationMs }),
  z.strictObject({
    kind: z.literal('step'),
    viewers,
    by: z.number().int().positive(),
    holdMs: durationMs,
    ratePerSecond,
  }),
  z.strictObject({ kind: z.literal('spike'), viewers, forMs: durationMs, ratePerSecond }),
  z.strictObject({ kind: z.literal('soak'), forMs: durationMs }),
  z.strictObject({
    kind: z.literal('churn'),
    forMs: durationMs,
    replacePercent: z.number().positive().max(100),
    everyMs: durationMs,
    ratePerSecond,
  }),
]);

const search: z.ZodType<PlanSearch> = z.strictObject({
  fromViewers: z.number().int().positive(),
  mostViewers: z.number().int().positive(),
  settleMs: durationMs,
  measureMs: durationMs,
  repeats: z.number().int().min(1).max(20),
  precisionPercent: z.number().positive().max(50),
});

const pull = z.strictObject({
  stream: streamName,
  from: nodeName,
  by: z.array(nodeName).min(1),
  protocol: z.enum(pullProtocols),
  viewers: z.number().int().positive(),
  ratePerSecond: z.number().positive(),
  holdMs: timeMs,
  realism: z.enum(realisms).optional(),
  weights: z.record(nodeName, z.number().positive()).optional(),
  stages: z.array(stage).min(1).max(100).optional(),
  search: search.optional(),
});

const threshold = z.strictObject({
  series: seriesId,
  node: nodeName.optional(),
  comparison: z.enum(['>=', '<=']),
  value: z.number(),
  tolerancePercent: z.number().min(0).max(100).optional(),
  graceMs: timeMs.optional(),
});

const stopCondition = z.strictObject({
  what: z.union([z.enum(['degraded', 'failed', 'cpu']), seriesId]),
  node: nodeName.optional(),
  comparison: z.enum(['>', '<']),
  value: z.number(),
  forMs: timeMs,
});

const hook = z.union([
  z.strictObject({ at: z.enum(hookMoments), run: z.tuple([z.string().min(1)], z.string()) }),
  z.strictObject({ at: z.enum(hookMoments), post: z.string().url() }),
]);

const expectation = z.strictObject({
  comparison: z.enum(['>=', '<=']),
  value: z.number().nonnegative(),
  ifMeasured: z.literal(true).optional(),
});

/** A plan as a value. What a person types is read by `domain/plan/planYaml.ts`, whose errors name line and field. */
export const plan: z.ZodType<Plan> = z.strictObject({
  name: z.string().min(1).max(120),
  nodes: z.record(nodeName, n.nodeSettings),
  publish: z.array(
    z.strictObject({
      stream: streamName,
      node: nodeName,
      source: z.enum(['sample-240p', 'external']),
      by: nodeName.optional(),
    }),
  ),
  pull,
  also: z.array(pull).max(20).optional(),
  expect: z.strictObject({
    connected: expectation.optional(),
    degraded: expectation.optional(),
    cpu: expectation.optional(),
    gcPause: expectation.optional(),
  }),
  thresholds: z.array(threshold).max(50).optional(),
  stopWhen: z.array(stopCondition).max(20).optional(),
  schedule: z
    .strictObject({
      atMs: momentMs.optional(),
      repeat: z.number().int().min(1).max(1000).optional(),
      everyMs: durationMs.optional(),
    })
    .optional(),
  hooks: z.array(hook).max(20).optional(),
});
