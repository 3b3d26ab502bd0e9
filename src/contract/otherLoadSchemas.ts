import { z } from 'zod';
import type { HostBaseline, LoadBefore, OtherLoad, ProgramShare } from '../domain/model/otherLoad';
import { exactly } from './exactly';

/** Schemas of `domain/otherLoad` at process borders. */

export const programShare = exactly<ProgramShare>()(
  z.object({
    name: z.string(),
    percent: z.number(),
    memoryBytes: z.number().optional(),
  }),
);

export const otherLoad = exactly<OtherLoad>()(
  z.object({
    node: z.string(),
    timeMs: z.number().nonnegative(),
    programs: z.array(programShare),
  }),
);

export const hostBaseline = exactly<HostBaseline>()(
  z.object({
    nodes: z.array(z.string()),
    values: z.record(z.string(), z.number()),
    programs: z.array(programShare).optional(),
  }),
);

export const loadBefore = exactly<LoadBefore>()(
  z.object({
    state: z.enum(['quiet', 'loaded', 'busy']),
    sentence: z.string(),
  }),
);
