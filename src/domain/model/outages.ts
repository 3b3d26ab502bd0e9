import { z } from 'zod';
import { count, immutable, timeMs } from './schema';

/** What the time of an outage belongs to when not to the origin. */
export const outageCauses = ['machine', 'tester', 'tester-lost', 'publisher'] as const;

/** An interval of a hold in which fewer viewers were connected than `connected` demands. */
export const outage = immutable(
  z.object({
    /** Name of the audience, in a run with several. */
    audience: z.string().optional(),
    /** Unix ms: the first sample below, and the first one that is not; the end of the hold if it lasted until then. */
    fromMs: timeMs,
    toMs: timeMs,
    /** The fewest viewers that were connected at once, when first, and the size that was held. */
    lowest: count,
    lowestMs: timeMs,
    requested: count,
    /** It lasted to the end of the hold. */
    isUntilEnd: z.literal(true).optional(),
    /** Absent if nothing but the origin explains it. */
    causedBy: z.enum(outageCauses).optional(),
  }),
);
export type Outage = z.infer<typeof outage>;
export type OutageCause = (typeof outageCauses)[number];

/** An interval of a hold without data. */
const unmeasured = immutable(z.object({ audience: z.string().optional(), fromMs: timeMs, toMs: timeMs }));
export type UnmeasuredInterval = z.infer<typeof unmeasured>;

const totals = { count, sumMs: z.number().nonnegative(), longestMs: z.number().nonnegative() };
const amounts = immutable(z.object(totals));
export type Amounts = z.infer<typeof amounts>;

/** Outages, reconnections and gaps of a run. Times in which several audiences had one count once. */
export const outages = immutable(
  z.object({
    ...totals,
    /** Total of the judged time: all holds, less the gaps; of several audiences the sum. */
    heldMs: z.number().nonnegative(),
    /** The outage with the smallest share of connected viewers; the longest of several. */
    worst: outage.optional(),
    /** The longest ones, in order of time. */
    list: z.array(outage),
    /** Viewers that lost their connection and connected again, in the entire run. */
    reconnections: count,
    gaps: z.object({ ...totals, list: z.array(unmeasured) }),
    /** Present in a run with several audiences. */
    audiences: z.array(z.object({ name: z.string(), ...totals, reconnections: count })).optional(),
  }),
);
export type Outages = z.infer<typeof outages>;

/** Outages and gaps that a run lists; totals include all. */
export const maxListedOutages = 100;
