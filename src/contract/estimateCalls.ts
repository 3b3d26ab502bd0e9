import { z } from 'zod';
import { resourceIds, type Estimate } from '../domain/estimate/estimate';
import { runId, seriesId } from './names';
import { exactly } from './exactly';

/** Estimates a larger load from a bounded calibration load. */

const interval = z.object({ value: z.number(), low: z.number(), high: z.number() });
const ceiling = z.object({
  value: z.number(),
  low: z.number(),
  high: z.number().optional(),
  mark: z.enum(['measured', 'extrapolated']),
  times: z.number(),
});
const resource = z.enum(resourceIds);

export const estimate = exactly<Estimate>()(
  z.object({
    run: z.string(),
    name: z.string(),
    origin: z.string(),
    sizes: z.array(z.object({ viewers: z.number(), seconds: z.number() })),
    largest: z.number(),
    machine: z.object({
      cores: z.number().optional(),
      memoryBytes: z.number().optional(),
      capacityMbps: z.number().optional(),
      sharedWith: z.array(z.string()),
    }),
    resources: z.array(
      z.object({
        id: resource,
        series: seriesId,
        points: z.array(z.object({ viewers: z.number(), value: z.number(), weight: z.number() })),
        line: z.object({
          slope: z.number(),
          idle: z.number(),
          slopeVariance: z.number(),
          idleVariance: z.number(),
          covariance: z.number(),
          scatter: z.number(),
          t: z.number(),
          explained: z.number(),
          quadratic: z.object({ idle: z.number(), slope: z.number(), square: z.number() }).optional(),
        }),
        perViewer: interval,
        idle: interval,
        isRising: z.boolean(),
        threshold: z.object({ value: z.number(), text: z.string() }).optional(),
        ceiling: ceiling.optional(),
        notBefore: z.number().optional(),
        notes: z.array(z.string()),
      }),
    ),
    unknown: z.array(z.object({ id: resource, sentence: z.string() })),
    ceiling: ceiling.extend({ resource }).optional(),
    sentence: z.string(),
    notes: z.array(z.string()),
  }),
);

export const estimateCalls = {
  /** Reads a saved or active run. If no estimate is possible, the sentence of the result states why. */
  'estimate.of': { input: z.strictObject({ run: runId }), output: estimate },
} as const;
