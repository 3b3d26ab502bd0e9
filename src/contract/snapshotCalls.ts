import { z } from 'zod';
import {
  identifyingKinds,
  keepableKinds,
  runParts,
  type IdentifyingValue,
  type RedactionChoice,
} from '../domain/redaction/found';
import { runId } from './names';
import { runEvent, runSummary } from './schemas';

const identifyingValue: z.ZodType<IdentifyingValue> = z.object({
  kind: z.enum(identifyingKinds),
  value: z.string(),
  becomes: z.string(),
  count: z.number().int().nonnegative(),
  parts: z.array(z.enum(runParts)),
});

/** Keys and tokens can't be kept: there is no such kind in here. */
export const redactionChoice: z.ZodType<RedactionChoice> = z.strictObject({
  keepKinds: z.array(z.enum(keepableKinds)).max(keepableKinds.length),
  keep: z
    .array(z.strictObject({ kind: z.enum(keepableKinds), value: z.string().min(1).max(5000) }))
    .max(10_000),
});

/** A run that came in from a file; `news` says what came of it where it was here already. */
export const importedRun = z.intersection(runSummary, z.object({ news: z.string().optional() }));
export type ImportedRun = z.infer<typeof importedRun>;

export const noteText = z.string().trim().min(1).max(500);

export const snapshotCalls = {
  /** Changes the words of a note that was written to a kept run on this installation; one that was removed is there again. */
  'notes.edit': {
    input: z.strictObject({ run: runId, uid: z.string(), text: noteText }),
    output: runEvent,
  },
  'notes.remove': {
    input: z.strictObject({ run: runId, uid: z.string() }),
    output: z.object({ done: z.literal(true) }),
  },

  /** What of a run could tell who the customer is, and what each of it becomes in a snapshot. */
  'snapshot.preview': {
    input: z.strictObject({ run: runId }),
    output: z.object({ values: z.array(identifyingValue) }),
  },
} as const;

/** Only for the main process, since the path comes from a dialog. */
export const snapshotShellCalls = {
  /** Writes a copy of a run without what the choice does not keep; `replaced` counts the values that are gone. */
  'snapshot.write': {
    input: z.strictObject({ run: runId, choice: redactionChoice, path: z.string() }),
    output: z.object({ path: z.string(), bytes: z.number(), replaced: z.number() }),
  },
} as const;
