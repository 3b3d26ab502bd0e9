import { z } from 'zod';

import * as s from './schemas';

const range = { fromMs: z.number(), toMs: z.number() };

/** What is kept of what was watched. */
export const watchState = z.object({
  /** Unix ms of its first and last sample; null: nothing yet. */
  fromMs: z.number().nullable(),
  toMs: z.number().nullable(),
  bytes: z.number(),
  /** Why nothing is recorded now. */
  problem: z.string().nullable(),
});
export type WatchState = z.infer<typeof watchState>;

/** Why nothing is recorded now; null: it is again. */
export const watchEvents = { watchProblem: z.object({ problem: z.string().nullable() }) } as const;

/** The history of all nodes, with and without runs. */
export const watchCalls = {
  'watch.state': { input: z.strictObject({}), output: watchState },
  /** The nodes of a range, also those that were removed since. */
  'watch.nodes': { input: z.strictObject(range), output: z.array(s.nodeView) },
  /** Like `runs.overview`. */
  'watch.overview': {
    input: z.strictObject({
      ...range,
      columns: z.number().int().min(1).max(20_000),
      series: z.array(s.seriesId).max(1000).optional(),
    }),
    output: s.overviewBatch,
  },
  /** Like `runs.samples`. */
  'watch.samples': {
    input: z.strictObject(range),
    output: z.object({ batch: s.sampleBatch, nextMs: z.number().nullable() }),
  },
  /** Makes a run of a range. */
  'watch.save': {
    input: z.strictObject({ ...range, name: z.string().trim().max(200).optional() }),
    output: z.object({ run: s.runId }),
  },
} as const;
