import { z } from 'zod';
import { count, immutable, timeMs } from './schema';

/** An interval in which a publisher of the plan published nothing: its stream had no media. */
export const publisherOutage = immutable(
  z.object({
    /** The server, and the tester that publishes: their names in the run. */
    node: z.string(),
    by: z.string(),
    stream: z.string(),
    fromMs: timeMs,
    /** Absent if it was not published again. */
    toMs: timeMs.optional(),
    /** How many of several publishers were lost. */
    publishers: z.object({ lost: count, of: count }).optional(),
    /** Why, as its tester reports it: a sentence. */
    reason: z.string(),
    /** The server did not respond either: it is the cause. */
    isOriginLost: z.boolean().optional(),
  }),
);
export type PublisherOutage = z.infer<typeof publisherOutage>;
