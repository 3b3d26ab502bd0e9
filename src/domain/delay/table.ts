import { z } from 'zod';
import { immutable, timeMs } from '../model/schema';
import { delayFigures } from './figures';
import { delayPath } from './paths';

/** One measurement of a path, or why there is none. */
const delayRepeat = immutable(
  z.union([
    z.object({ delay: delayFigures, remark: z.string().max(1000).optional() }),
    z.object({ failed: z.string().max(2000) }),
  ]),
);
export type DelayRepeat = z.infer<typeof delayRepeat>;

export const delayRow = immutable(z.object({ path: delayPath, repeats: z.array(delayRepeat).max(100) }));
export type DelayRow = z.infer<typeof delayRow>;

/** Of a table's file; one of a later version can't be read. */
export const delayFormat = 1;

/** Of a table, and so the name of its file. */
export const delayTableId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/);

/** The result of a delay test, as it is kept and shared. */
export const delayTable = immutable(
  z.object({
    /** Identifies the file. */
    fullhouseDelay: z.literal(delayFormat),
    id: delayTableId,
    /** Of the test; default: that of the server. */
    name: z.string().min(1).max(200),
    /** Name of the server, and its software where it is known. */
    node: z.string().min(1).max(200),
    software: z.string().max(200).optional(),
    startedMs: timeMs,
    endedMs: timeMs,
    /** What played and read the pictures, e.g. "this window". */
    decoder: z.string().max(200),
    /** Of each path and repeat. */
    measuredMs: timeMs,
    /** What the server did meanwhile, for the rows under load. */
    load: z.string().max(300).optional(),
    /** It was cancelled before all was measured. */
    isCancelled: z.literal(true).optional(),
    /** Why else not all was measured. */
    problem: z.string().max(2000).optional(),
    rows: z
      .array(delayRow)
      .min(1)
      .max(200)
      .refine((rows) => new Set(rows.map(({ path }) => path.id)).size === rows.length, 'A path is listed twice.'),
  }),
);
export type DelayTable = z.infer<typeof delayTable>;
