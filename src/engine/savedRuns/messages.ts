import { z } from 'zod';

/** The engine to its reader: the folder of runs that the job is about, and files that are not to be opened. */
export const toReader = z.object({
  id: z.number().int(),
  job: z.string(),
  folder: z.string(),
  input: z.unknown(),
  /** Files of runs that lie in another folder, by their ids. */
  elsewhere: z.record(z.string(), z.string()).optional(),
  /** The reader writes into this file which run file it is about to open, so that the one that ends it can be named. */
  markerFile: z.string(),
  /** Run files that ended a reader before, each with the sentence that is said instead of opening it. */
  quarantined: z.record(z.string(), z.object({ stamp: z.string(), sentence: z.string() })),
});
export type ToReader = z.infer<typeof toReader>;

/** The reader's answer. Readers hold bytes of strangers, so what they answer is checked like anything from outside. */
export const fromReader = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('result'), id: z.number().int(), value: z.unknown() }),
  z.object({ kind: z.literal('error'), id: z.number().int(), code: z.string(), message: z.string() }),
]);
export type FromReader = z.infer<typeof fromReader>;
