import { z } from 'zod';
import type { Comparison } from '../domain/compare/comparison';
import { curveIds } from '../domain/compare/curves';
import { runId } from './names';
import { exactly } from './exactly';

/** Schemas of compared runs. The compiler checks that they match the types. */

const count = z.number().int().nonnegative();
const curveLine = z.object({ x: z.array(z.number()), y: z.array(z.number().nullable()) });

export const comparison = exactly<Comparison>()(
  z.object({
    runs: z.array(
      z.object({
        id: runId,
        letter: z.string(),
        name: z.string(),
        startedMs: count,
        origin: z.string(),
        originSlot: count,
        verdict: z.enum(['pass', 'fail', 'inconclusive', 'stopped', 'interrupted']).optional(),
        isBaseline: z.boolean(),
        isTesterLimited: z.boolean(),
        limitViewers: count.optional(),
        limitMs: z.number().optional(),
        repeats: count,
      }),
    ),
    reference: count,
    sentence: z.string(),
    differs: z.array(z.string()),
    noise: z.string(),
    remarks: z.array(z.string()),
    figures: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        unit: z.string(),
        better: z.enum(['more', 'less', 'neither']),
        group: z.enum(['main', 'percentiles']),
        decimals: z.union([z.literal(0), z.literal(1)]),
        noise: z.number().optional(),
        cells: z.array(
          z.object({
            value: z.number().optional(),
            difference: z.number().optional(),
            isBeyondNoise: z.boolean().optional(),
          }),
        ),
      }),
    ),
    charts: z.array(
      z.object({
        id: z.enum(curveIds),
        title: z.string(),
        about: z.string(),
        unit: z.string(),
        limit: z.number().optional(),
        overTime: z.array(curveLine),
        overViewers: z.array(curveLine),
      }),
    ),
  }),
);
