import { z } from 'zod';
import { immutable, timeMs } from './schema';

/** The findings of a preflight. */
const preflightResults = ['pass', 'warn', 'fail', 'unread'] as const;
/** `unread`: it could not be read, so it is neither good nor bad. */
export type PreflightResult = (typeof preflightResults)[number];

/** One rule on one node. */
export const preflightFinding = immutable(
  z.object({
    /** Id of the rule in the catalogue, e.g. `kernel.udp-buffers`. */
    rule: z.string(),
    /** What it checks, a few words, e.g. `UDP buffers`. */
    title: z.string(),
    /** The plan's name of the node. */
    node: z.string(),
    result: z.enum(preflightResults),
    /** A complete sentence with the value read, and the recommended one if it differs. */
    sentence: z.string(),
    /** Why it matters, one sentence. */
    why: z.string(),
    /** The command or setting that fixes it, to be copied; absent if no fix is needed. */
    fix: z.string().optional(),
    /** The source of the rule. */
    source: z.string(),
  }),
);
export type PreflightFinding = z.infer<typeof preflightFinding>;

export const preflightReport = immutable(
  z.object({
    /** Unix ms. */
    timeMs,
    findings: z.array(preflightFinding),
  }),
);
export type PreflightReport = z.infer<typeof preflightReport>;
