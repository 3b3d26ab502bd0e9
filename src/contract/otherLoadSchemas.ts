import { z } from 'zod';
import type { HostBaseline, LoadBefore, OtherLoad, ProgramShare } from '../domain/otherLoad/otherLoad';

/** Schemas of `domain/otherLoad` where it crosses a process border or lies in a run's file. */

export const programShare: z.ZodType<ProgramShare> = z.object({
  name: z.string(),
  percent: z.number(),
  memoryBytes: z.number().optional(),
});

export const otherLoad: z.ZodType<OtherLoad> = z.object({
  node: z.string(),
  timeMs: z.number().nonnegative(),
  programs: z.array(programShare),
});

export const hostBaseline: z.ZodType<HostBaseline> = z.object({
  nodes: z.array(z.string()),
  values: z.record(z.string(), z.number()),
  programs: z.array(programShare).optional(),
});

export const loadBefore: z.ZodType<LoadBefore> = z.object({
  state: z.enum(['quiet', 'loaded', 'busy']),
  sentence: z.string(),
});
