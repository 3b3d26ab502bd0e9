import { z } from 'zod';
import { count, immutable } from '../model/schema';
import { withoutRoundTrip } from './formulas';

/** Longer than any that a player keeps, ms. */
const longestMs = 600_000;
const ms = z.number().min(0).max(longestMs);

/** Glass-to-glass delay of one path over one measurement. */
export const delayFigures = immutable(
  z
    .object({
      p50Ms: ms,
      p95Ms: ms,
      p99Ms: ms,
      /** Mean difference between the delays of consecutive frames. */
      jitterMs: ms,
      /** Half the time within which a frame was displayed, median. */
      uncertaintyMs: ms,
      /** Frames whose clock was read. */
      count: count.min(1),
      /** Round trip of the connection that carried the picture, median, where its protocol measures one. */
      rttMs: ms.optional(),
      /** By which the sound was ahead of the picture, median; negative: behind it. */
      avOffsetMs: z.number().min(-longestMs).max(longestMs).optional(),
    })
    .refine(({ p50Ms, p95Ms, p99Ms }) => p50Ms <= p95Ms && p95Ms <= p99Ms, 'The percentiles are not in order.'),
);
export type DelayFigures = z.infer<typeof delayFigures>;

export const delayPercentiles = ['p50', 'p95', 'p99'] as const;
export type DelayPercentile = (typeof delayPercentiles)[number];

/** Undefined without a round trip. */
export const pipelineMs = ({ p50Ms, rttMs }: Pick<DelayFigures, 'p50Ms' | 'rttMs'>): number | undefined =>
  rttMs === undefined ? undefined : withoutRoundTrip(p50Ms, rttMs);
