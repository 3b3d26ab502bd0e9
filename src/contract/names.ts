import { z } from 'zod';
import { longestName, nodeNameFault } from '../domain/plan/planNames';
import { streamNameFault } from '../domain/plan/streamName';
import { isSeries, type SeriesId } from '../domain/series/series';

/** A text for which a rule of the domain finds no fault. */
export const textWithout = (faultOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });
export const streamName = textWithout(streamNameFault);
export const nodeName = textWithout(nodeNameFault);
export const runName = z.string().trim().min(1).max(longestName);
export const runId = z.string().regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,119}$/);

export const seriesId = z.custom<SeriesId>(
  (value) => typeof value === 'string' && isSeries(value),
  'This series does not exist.',
);
