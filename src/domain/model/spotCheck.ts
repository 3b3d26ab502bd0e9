import { z } from 'zod';
import { count, immutable } from './schema';

/** How smooth a person found the picture, or would have by the figures; best first. */
export const spotCheckRatings = ['smooth', 'minor', 'bad'] as const;
export type SpotCheckRating = (typeof spotCheckRatings)[number];

/** A person's rating of some seconds of the stream, given before the figures were shown, beside the measured one. */
export const spotCheck = immutable(
  z.object({
    stream: z.string(),
    rating: z.enum(spotCheckRatings),
    measured: z.enum(spotCheckRatings),
    /** How long the person watched. */
    seconds: z.number().positive().max(3600),
    freezes: count,
    frozenMs: z.number().nonnegative(),
    /** Frames per second shown; absent if unknown. */
    fps: z.number().nonnegative().optional(),
  }),
);
export type SpotCheck = z.infer<typeof spotCheck>;
