import { z } from 'zod';
import { immutable, timeMs } from './schema';

/** What a run without load is of: a range of what the console watched, Unix ms; both ends included. */
export const watchedRange = immutable(
  z.object({
    fromMs: timeMs,
    toMs: timeMs,
    /** Between two samples of a series: what is older was made thinner. */
    stepMs: z.number().int().min(1000).max(86_400_000),
  }),
);
export type WatchedRange = z.infer<typeof watchedRange>;
