import { z } from 'zod';
import { count, immutable, timeMs } from './schema';

/** When a publisher sends which time of the file that it plays in a loop, by the console's clock. */
export const mediaClock = immutable(
  z.object({
    /** When time 0 of the file was due in the current loop. */
    startMs: timeMs,
    /** The times between which this holds: a publisher may jump in the file. */
    sinceMs: timeMs,
    untilMs: timeMs,
    /** Length of the loop. */
    durationMs: count,
    /** The clock of the publisher's machine is known to ± this, and so are all times. */
    uncertaintyMs: z.number().nonnegative(),
  }),
);
export type MediaClock = z.infer<typeof mediaClock>;
