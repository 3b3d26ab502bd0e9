import { z } from 'zod';
import { count, immutable } from './schema';

/** Who runs the browser viewers of a run in the app: its window. */
export const byWindow = 'window';

/** Mean figures of the seconds in which both could be compared. */
const experience = z.object({
  /** Frames per second. */
  frameRate: z.number().optional(),
  degradedPercent: z.number().optional(),
  /** Median from the start of a viewer to its first picture, or its first complete frame. */
  firstFrameP50Ms: z.number().optional(),
});

/** The browser viewers of a run beside its audience, so far. */
export const browserViewersResult = immutable(
  z.object({
    /** At a time, as planned. */
    planned: count,
    /** `byWindow`, or the name of the tester whose browser they are. */
    by: z.string(),
    /** Now. */
    playing: count,
    /** That displayed a picture. */
    watched: count,
    failed: count,
    /** Why the first one failed. */
    problem: z.string().optional(),
    freezes: count,
    frozenMs: z.number(),
    browsers: experience,
    audience: experience,
    /** Mean of `agreementPercent` over the run. */
    agreementPercent: z.number().optional(),
  }),
);
export type BrowserViewersResult = z.infer<typeof browserViewersResult>;
