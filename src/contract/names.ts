import { z } from 'zod';
import { longestName, nodeNameFault } from '../domain/plan/planNames';
import { streamNameFault } from '../domain/plan/streamName';

/** A text for which a rule of the domain finds no fault. */
export const textWithout = (faultOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });
export const streamName = textWithout(streamNameFault);
export const nodeName = textWithout(nodeNameFault);
export const runName = z.string().trim().min(1).max(longestName);
