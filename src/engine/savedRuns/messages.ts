import { z } from 'zod';

/** From engine to reader: the folder of runs for the job, and files that must not be opened. */
export const toReader = z.object({
  id: z.number().int(),
  job: z.string(),
  folder: z.string(),
  input: z.unknown(),
  /** Files of runs in other folders, by id. */
  elsewhere: z.record(z.string(), z.string()).optional(),
  /**
   * The reader writes into this file which run file it is about to open, so that one that ends it can be identified.
   */
  markerFile: z.string(),
  /** Run files that ended a reader before, each with the sentence to report instead of opening it. */
  quarantined: z.record(z.string(), z.object({ stamp: z.string(), sentence: z.string() })),
});
export type ToReader = z.infer<typeof toReader>;

/** The reader's responses. Readers process untrusted bytes, so their responses are validated like any external input. */
export const fromReader = z.discriminatedUnion('kind', [
  /** A job has read so many of the runs that it lists. */
  z.object({
    kind: z.literal('progress'),
    id: z.number().int(),
    done: z.number().int().nonnegative(),
    total: z.number().int().nonnegative(),
  }),
  z.object({ kind: z.literal('result'), id: z.number().int(), value: z.unknown() }),
  z.object({ kind: z.literal('error'), id: z.number().int(), code: z.string(), message: z.string() }),
]);
export type FromReader = z.infer<typeof fromReader>;
