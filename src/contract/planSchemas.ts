import { z } from 'zod';
import { hookTimes, type Plan, type PlanPull } from '../domain/model/plan';
import { publishFields } from '../domain/plan/fields/publish';
import { pullFields } from '../domain/plan/fields/pull';
import { scheduleFields } from '../domain/plan/fields/schedule';
import { stopShares } from '../domain/plan/fields/stops';
import { exactly } from './exactly';
import { fieldsSchema, otherSchema, shapeOf } from './fieldSchemas';
import { nodeName, seriesId } from './names';
import * as n from './nodeSchemas';

const timeMs = z.number().int().nonnegative();

const { testers: _, ...others } = pullFields;
const pull = z.strictObject({
  ...shapeOf(others),
  by: z.array(nodeName).min(1),
  weights: z.record(nodeName, z.number().positive()).optional(),
}) as unknown as z.ZodType<PlanPull>;

const threshold = z.strictObject({
  series: seriesId,
  node: nodeName.optional(),
  comparison: z.enum(['>=', '<=']),
  value: z.number(),
  tolerancePercent: z.number().min(0).max(100).optional(),
  graceMs: timeMs.optional(),
});

const stopCondition = z.strictObject({
  what: z.union([z.enum(stopShares), seriesId]),
  node: nodeName.optional(),
  comparison: z.enum(['>', '<']),
  value: z.number(),
  forMs: timeMs,
});

const hook = z.union([
  z.strictObject({ at: z.enum(hookTimes), run: otherSchema('program') }),
  z.strictObject({ at: z.enum(hookTimes), post: otherSchema('address') }),
]);

const expectation = z.strictObject({
  comparison: z.enum(['>=', '<=']),
  value: z.number().nonnegative(),
  ifMeasured: z.literal(true).optional(),
});

/** A plan as a value. YAML is read by `domain/plan/planYaml.ts`, whose errors state line and field. */
export const plan = exactly<Plan>()(
  z.strictObject({
    name: z.string().min(1).max(120),
    nodes: z.record(nodeName, n.nodeSettings),
    publish: z.array(fieldsSchema(publishFields)),
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
    schedule: fieldsSchema(scheduleFields).optional(),
    hooks: z.array(hook).max(20).optional(),
  }),
);
