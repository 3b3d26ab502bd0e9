import { z } from 'zod';
import { preflightNodeStates, type PreflightProgress } from '../domain/preflight/progress';
import { preflightFinding, preflightReport } from '../domain/model/preflightReport';
import { consentInput } from './consentCalls';
import { nodeName } from './names';
import { plan } from './planSchemas';
import { exactly } from './exactly';

const id = z.string().min(1).max(64);

/** Preflight of origin and testers before the load. */
export const preflightCalls = {
  /**
   * Inspects the plan's nodes and returns when all are judged; progress comes as `preflight` events with the same id.
   * Refused as `runs.start` is, for what its nodes do.
   */
  'preflight.run': { input: z.strictObject({ id, plan, ...consentInput }), output: preflightReport },
  /** Cancels a preflight; its call rejects with `cancelled`. No effect on one that has ended. */
  'preflight.cancel': { input: z.strictObject({ id }), output: z.object({ done: z.literal(true) }) },
} as const;

const preflightProbe = exactly<PreflightProgress>()(
  z.object({
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
  }),
);

export const preflightEvents = { preflight: preflightProbe } as const;
