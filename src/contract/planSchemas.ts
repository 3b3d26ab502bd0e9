import { z } from 'zod';
import { delayStats, expectationIds, type ExpectationId, type Plan } from '../domain/model/plan';

import { maxDelays, maxThresholds, thresholdScope } from '../domain/plan/fields/expect';
import { hookFields, maxHooks } from '../domain/plan/fields/hooks';
import { publishFields } from '../domain/plan/fields/publish';
import { maxAudiences, pullFields } from '../domain/plan/fields/pull';
import { scheduleFields } from '../domain/plan/fields/schedule';
import { maxStops, stopShareIds } from '../domain/plan/fields/stops';
import { exactly } from './exactly';
import { fieldsSchema, rejecting, shapeOf, type ObjectSchema } from './fieldSchemas';
import { seriesId } from '../domain/model/schema';
import { nodeName, runName } from './names';
import * as n from './nodeSchemas';

const timeMs = z.number().int().nonnegative();
const { testers: _, ...audienceFields } = pullFields;

/** A plan as a value, of nodes with these settings. YAML is read by `domain/plan/planYaml.ts`. */
export function planSchema<Settings extends z.ZodType>(nodeSettings: Settings, object: ObjectSchema) {
  const pull = object({
    ...shapeOf(audienceFields, object),
    by: z.array(nodeName).min(1),
    weights: z.record(nodeName, z.number().positive()).optional(),
  });
  const threshold = object({
    series: seriesId,
    comparison: z.enum(['>=', '<=']),
    value: z.number(),
    ...shapeOf(thresholdScope, object),
  });
  const stopCondition = object({
    what: z.union([z.enum(stopShareIds), seriesId]),
    node: nodeName.optional(),
    comparison: z.enum(['>', '<']),
    value: z.number(),
    forMs: timeMs,
  });
  const { at, run, post } = shapeOf(hookFields, object);
  const expectation = object({
    comparison: z.enum(['>=', '<=']),
    value: z.number().nonnegative(),
    ifMeasured: z.literal(true).optional(),
  });
  const expectations = Object.fromEntries(expectationIds.map((id) => [id, expectation.optional()])) as Record<
    ExpectationId,
    z.ZodOptional<typeof expectation>
  >;
  return object({
    name: runName,
    nodes: z.record(nodeName, nodeSettings),
    publish: z.array(fieldsSchema(publishFields, object)),
    pull: pull.optional(),
    also: z
      .array(pull)
      .max(maxAudiences - 1)
      .optional(),
    expect: object(expectations),
    thresholds: z.array(threshold).max(maxThresholds).optional(),
    delay: z
      .array(object({ stat: z.enum(delayStats), valueMs: z.number().nonnegative() }))
      .max(maxDelays)
      .optional(),
    stopWhen: z.array(stopCondition).max(maxStops).optional(),
    schedule: fieldsSchema(scheduleFields, object).optional(),
    hooks: z
      .array(z.union([object({ at, run }), object({ at, post })]))
      .max(maxHooks)
      .optional(),
  });
}

/** A plan between processes. */
export const plan = exactly<Plan>()(planSchema(n.nodeSettings, rejecting));
