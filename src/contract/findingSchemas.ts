import { z } from 'zod';
import { preflightResults, type PreflightFinding, type PreflightReport } from '../domain/model/preflightReport';
import { bottlenecks, type LimitResult } from '../domain/model/limitFound';
import { exactly } from './exactly';

const timeMs = z.number().int().nonnegative();
const count = z.number().int().nonnegative();

/** Findings of a run besides its figures: the preflight and the limit. */

export const preflightFinding = exactly<PreflightFinding>()(
  z.object({
    rule: z.string(),
    title: z.string(),
    node: z.string(),
    result: z.enum(preflightResults),
    sentence: z.string(),
    why: z.string(),
    fix: z.string().optional(),
    source: z.string(),
  }),
);

export const preflightReport = exactly<PreflightReport>()(
  z.object({
    timeMs,
    findings: z.array(preflightFinding),
  }),
);

export const limitFound = exactly<LimitResult>()(
  z.object({
    state: z.enum(['searching', 'found', 'not-reached', 'tester-limited', 'unknown', 'stopped']),
    viewers: count.optional(),
    plusMinus: count.optional(),
    maxMet: count.optional(),
    minMissed: count.optional(),
    repeats: count,
    trials: z.array(
      z.object({
        viewers: count,
        repeat: count,
        fromMs: timeMs,
        toMs: timeMs,
        result: z.enum(['met', 'missed', 'tester-limited', 'unknown']),
        sentence: z.string(),
        busyNode: z.string().optional(),
      }),
    ),
    now: z.object({ kind: z.enum(['try', 'recover']), viewers: count }).optional(),
    bottleneck: z
      .object({
        what: z.enum(bottlenecks),
        sentence: z.string(),
        node: z.string().optional(),
        timeMs,
      })
      .optional(),
    sentence: z.string(),
  }),
);
