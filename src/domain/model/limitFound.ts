import { z } from 'zod';
import { count, immutable, timeMs } from './schema';

/** Possible bottlenecks. */
const bottlenecks = [
  'origin-cpu',
  'origin-memory',
  'origin-gc',
  'origin-bandwidth',
  'origin-sockets',
  'origin-refuses',
  'tester',
  'network',
  'unknown',
] as const;
export type Bottleneck = (typeof bottlenecks)[number];

/** The state of a search, and its result at the end. */
export const limitFound = immutable(
  z.object({
    state: z.enum(['searching', 'found', 'not-reached', 'tester-limited', 'unknown', 'stopped']),
    /** The middle of the interval; absent while unknown. */
    viewers: count.optional(),
    /** Half its width, whole viewers: the limit lies within `viewers` +- this. */
    plusMinus: count.optional(),
    /** The largest size that always held and the smallest that did not. */
    maxMet: count.optional(),
    minMissed: count.optional(),
    /** Participants of each room in a search for rooms; sizes are multiples of it. */
    roomSize: count.optional(),
    /** What its sizes count, where it is not viewers. */
    clients: z.literal('publishers').optional(),
    /** Completed repeats. */
    repeats: count,
    trials: z.array(
      z.object({
        viewers: count,
        /** Number of its repeat, from 1. */
        repeat: count,
        /** The measured interval, Unix ms. */
        fromMs: timeMs,
        toMs: timeMs,
        result: z.enum(['met', 'missed', 'tester-limited', 'unknown']),
        /** What decided it: one sentence with its figures. */
        sentence: z.string(),
        /** The node whose machine was busy with other programs, which makes this size inconclusive. */
        busyNode: z.string().optional(),
      }),
    ),
    /** During the search: the size being tried, or the one at which the audience recovers from a break. */
    now: z.object({ kind: z.enum(['try', 'recover']), viewers: count }).optional(),
    bottleneck: z
      .object({
        what: z.enum(bottlenecks),
        sentence: z.string(),
        node: z.string().optional(),
        timeMs,
      })
      .optional(),
    /** One sentence, e.g. `262 +- 6 viewers, 3 repeats; bottleneck: CPU of the origin.` */
    sentence: z.string(),
  }),
);
export type LimitResult = z.infer<typeof limitFound>;

/** One size that a search has tried. */
export type Trial = LimitResult['trials'][number];

/** Result of one audience size. `unknown`: too little was measured. */
export type TrialResult = Trial['result'];
