import { z } from 'zod';
import type { Plan } from '../domain/model/plan';
import { expectationIds } from '../domain/plan/expectationText';
import { maxThresholds, thresholdScope } from '../domain/plan/fields/expect';
import { hookFields, maxHooks } from '../domain/plan/fields/hooks';
import { publishFields } from '../domain/plan/fields/publish';
import { maxAudiences, pullFields } from '../domain/plan/fields/pull';
import { scheduleFields } from '../domain/plan/fields/schedule';
import { maxStops, stopShareIds } from '../domain/plan/fields/stops';
import { exactly } from './exactly';
import { fieldsSchema, shapeOf } from './fieldSchemas';
import { seriesId } from '../domain/model/schema';
import { nodeName, runName } from './names';
import * as n from './nodeSchemas';

const timeMs = z.number().int().nonnegative();

const { testers: _, ...others } = pullFields;
const pull = z.strictObject({
  ...shapeOf(others),
  by: z.array(nodeName).min(1),
  weights: z.record(nodeName, z.number().positive()).optional(),
});

const threshold = z.strictObject({
  series: seriesId,
  comparison: z.enum(['>=', '<=']),
  value: z.number(),
  ...shapeOf(thresholdScope),
});

const stopCondition = z.strictObject({
  what: z.union([z.enum(stopShareIds), seriesId]),
  node: nodeName.optional(),
  comparison: z.enum(['>', '<']),
  value: z.number(),
  forMs: timeMs,
});

const { at, run, post } = shapeOf(hookFields);
const hook = z.union([z.strictObject({ at, run }), z.strictObject({ at, post })]);

const expectation = z.strictObject({
  comparison: z.enum(['>=', '<=']),
  value: z.number().nonnegative(),
  ifMeasured: z.literal(true).optional(),
});

/** A plan as a value. YAML is read by `domain/plan/planYaml.ts`, whose errors state line and field. */
export const plan = exactly<Plan>()(
  z.strictObject({
    name: runName,
    nodes: z.record(nodeName, n.nodeSettings),
    publish: z.array(fieldsSchema(publishFields)),
    pull,
    also: z
      .array(pull)
      .max(maxAudiences - 1)
      .optional(),
    expect: z.partialRecord(z.enum(expectationIds), expectation),
    thresholds: z.array(threshold).max(maxThresholds).optional(),
    stopWhen: z.array(stopCondition).max(maxStops).optional(),
    schedule: fieldsSchema(scheduleFields).optional(),
    hooks: z.array(hook).max(maxHooks).optional(),
  }),
);
