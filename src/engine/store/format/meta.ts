import { z } from 'zod';
import { writerMark } from '../../base/lock';
import { savedSummary, savedView } from './run';
import type { Immutable } from '../../../domain/model/schema';

/** What users add to a run, separate from recorded data. A file of an older version has none. */
const kept = z.object({
  tags: z.array(z.string()).default([]),
  note: z.string().optional(),
  isBaseline: z.boolean().optional(),
});
export type Kept = Immutable<z.infer<typeof kept>>;

/** Metadata of a run file, as JSON by key. `writer` exists only while the run is written. */
export const metaSchemas = {
  view: savedView,
  summary: savedSummary,
  kept,
  engine: z.object({ version: z.string() }),
  /** Random, created once: two files with the same one are recordings of the same run. */
  identity: z.string().min(8),
  writer: writerMark,
  /** Present in a copy without customer data: the kinds that it keeps nevertheless. */
  redacted: z.object({ keeps: z.array(z.string()) }),
  /**
   * Present in a file whose every row was written with a checksum; settled when the run has ended. Per table the number
   * of rows and the sum of their checksums, so that lost and duplicate rows are detected.
   */
  manifest: z.object({
    isSettled: z.boolean(),
    tables: z.record(z.string(), z.object({ rows: z.number().int(), sum: z.number().int() })),
  }),
  /** Present in a copy of a damaged file: the minutes and the number of other rows it lacks. */
  lost: z.object({ minutes: z.array(z.number().int()), rows: z.record(z.string(), z.number().int()) }),
} as const;

export type MetaKey = keyof typeof metaSchemas;
export const metaKeys = Object.keys(metaSchemas) as readonly MetaKey[];
export type Meta<K extends MetaKey> = Immutable<z.infer<(typeof metaSchemas)[K]>>;
