import { z } from 'zod';
import { plan } from './schemas';

/** Plans as text, so that a window does not need the parser. */
export const planCalls = {
  /** Rejects with `bad-plan`; its sentence states line and field. */
  'plan.parse': {
    input: z.strictObject({ yaml: z.string().max(1_000_000) }),
    output: z.object({ plan, warnings: z.array(z.string()) }),
  },
  /** Presets that ship with the product. */
  'plan.presets': {
    input: z.strictObject({}),
    output: z.array(
      z.object({
        /** Name of its file, e.g. `srs-steps`. */
        name: z.string(),
        title: z.string(),
        /** Its purpose, one or two sentences. */
        description: z.string(),
        /** Its group in a list. */
        group: z.string(),
        size: z.object({
          viewers: z.number().int().nonnegative(),
          lengthMs: z.number().nonnegative().optional(),
          isSearch: z.literal(true).optional(),
        }),
        yaml: z.string(),
      }),
    ),
  },
} as const;
