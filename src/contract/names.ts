import { z } from 'zod';
import { streamNameFault } from '../domain/streamName';
import { seriesDefinition, type SeriesId } from '../domain/series';

export const streamName = z.string().superRefine((name, context) => {
  const fault = streamNameFault(name);
  if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
});
export const nodeName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    'A node\'s name has letters, digits, ".", "_" or "-", at most 64.',
  );
export const runId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/);

export const seriesId = z.custom<SeriesId>(
  (value) => typeof value === 'string' && seriesDefinition(value) !== undefined,
  'This series does not exist.',
);
