import { z } from 'zod';
import { count, immutable } from '../model/schema';
import { withoutRoundTrip } from './formulas';

const ms = z.number();

/** Glass-to-glass delay of one path over one measurement. */
export const delayFigures = immutable(
  z.object({
    p50Ms: ms,
    p95Ms: ms,
    p99Ms: ms,
    /** Mean difference between the delays of consecutive frames. */
    jitterMs: ms,
    /** Half the time within which a frame was displayed, median. */
    uncertaintyMs: ms,
    /** Frames whose clock was read. */
    count,
    /** Round trip of the connection that carried the picture, median, where its protocol measures one. */
    rttMs: ms.optional(),
    /** By which the sound was ahead of the picture, median; negative: behind it. */
    avOffsetMs: ms.optional(),
  }),
);
export type DelayFigures = z.infer<typeof delayFigures>;

export const delayPercentiles = ['p50', 'p95', 'p99'] as const;
export type DelayPercentile = (typeof delayPercentiles)[number];

/** Undefined without a round trip. */
export const pipelineMs = ({ p50Ms, rttMs }: Pick<DelayFigures, 'p50Ms' | 'rttMs'>): number | undefined =>
  rttMs === undefined ? undefined : withoutRoundTrip(p50Ms, rttMs);
