import { z } from 'zod';
import { preflightNodeStates, type PreflightLook } from '../domain/preflight/look';
import { preflightReport, preflightFinding } from './findingSchemas';
import { nodeName } from './names';
import { plan } from './planSchemas';

const id = z.string().min(1).max(64);

/** Looking at origin and testers before the load. */
export const preflightCalls = {
  /** Looks at the plan's nodes and answers when all are judged; its course comes as `preflight` events with the same id. */
  'preflight.run': { input: z.strictObject({ id, plan }), output: preflightReport },
  /** Ends a look; its call rejects with `cancelled`. One that has ended is left alone. */
  'preflight.cancel': { input: z.strictObject({ id }), output: z.object({ done: z.literal(true) }) },
} as const;

const preflightLook: z.ZodType<PreflightLook> = z.object({
  id,
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  nodes: z.array(
    z.object({
      node: nodeName,
      state: z.enum(preflightNodeStates),
      rules: z.number().int().nonnegative(),
      problem: z.string().optional(),
    }),
  ),
  findings: z.array(preflightFinding),
  report: preflightReport.optional(),
  problem: z.string().optional(),
});

export const preflightEvents = { preflight: preflightLook } as const;
