import { z } from 'zod';
import { longestName, nodeNameFault } from '../domain/plan/planNames';
import { nameFault, normalText, noteFault } from '../domain/text/humanText';
import { streamNameFault } from '../domain/plan/streamName';

/** A text for which a rule of the domain finds no fault. */
export const textWithout = (faultOf: (text: string) => string | undefined) =>
  z.string().superRefine((text, context) => {
    const fault = faultOf(text);
    if (fault !== undefined) context.addIssue({ code: 'custom', message: fault });
  });
export const streamName = textWithout(streamNameFault);
export const nodeName = textWithout(nodeNameFault);
/** Name of a saved run or plan, which was checked when it was given. */
export const runName = z.string().trim().min(1).max(longestName);

const given = (faultOf: (text: string) => string | undefined, longest: number) =>
  z.string().transform(normalText).pipe(textWithout(faultOf).max(longest));

/** A name that a person gives, or an empty text; `what` as in "A run name". */
export const givenNameOrNone = (what: string, longest = longestName) => given((name) => nameFault(name, what), longest);
export const givenName = (what: string, longest?: number) =>
  givenNameOrNone(what, longest).refine((name) => name !== '', 'Enter a name.');

/** A note, of one line or several. */
export const givenNote = (longest: number) => given(noteFault, longest);
