import { z } from 'zod';
import { isSeries, type SeriesId } from '../series/series';

export type Immutable<T> = { readonly [Key in keyof T]: Immutable<T[Key]> };

/** The schema of values that nothing changes. Their type is `z.infer` of it, so neither can lack a field of the other. */
export const immutable = <Schema extends z.ZodType>(schema: Schema) =>
  schema as unknown as z.ZodType<Immutable<z.output<Schema>>, z.input<Schema>>;

export const count = z.number().int().nonnegative();
/** Unix time in milliseconds, UTC. */
export const timeMs = count;
export const runId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/);
export const seriesId = z.custom<SeriesId>(
  (value) => typeof value === 'string' && isSeries(value),
  'This series does not exist.',
);
