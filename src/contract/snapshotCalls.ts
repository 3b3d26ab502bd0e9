import { z } from 'zod';
import {
  identifyingKinds,
  keepableKinds,
  runParts,
  type IdentifyingValue,
  type RedactionChoice,
} from '../domain/redaction/identifyingValues';
import { runId } from '../domain/model/schema';
import { runEvent, runSummary } from './schemas';
import { exactly } from './exactly';
import { givenNote } from './names';

const identifyingValue = exactly<IdentifyingValue>()(
  z.object({
    kind: z.enum(identifyingKinds),
    value: z.string(),
    becomes: z.string(),
    count: z.number().int().nonnegative(),
    parts: z.array(z.enum(runParts)),
  }),
);

/** Keys and tokens can't be kept: this list has no such kind. */
export const redactionChoice = exactly<RedactionChoice>()(
  z.strictObject({
    keepKinds: z.array(z.enum(keepableKinds)).max(keepableKinds.length),
    keep: z.array(z.strictObject({ kind: z.enum(keepableKinds), value: z.string().min(1).max(5000) })).max(10_000),
  }),
);

/** An imported run; `outcome` states what became of it if the run already existed. */
export const importedRun = z.intersection(
  runSummary,
  z.object({ outcome: z.string().optional(), copy: runId.optional() }),
);
export type ImportedRun = z.infer<typeof importedRun>;

export const noteText = givenNote(500).refine((text) => text !== '', 'Write a note.');

export const snapshotCalls = {
  /** Edits a note that was written to a saved run on this installation; restores a removed one. */
  'notes.edit': {
    input: z.strictObject({ run: runId, uid: z.string(), text: noteText }),
    output: runEvent,
  },
  'notes.remove': {
    input: z.strictObject({ run: runId, uid: z.string() }),
    output: z.object({ done: z.literal(true) }),
  },

  /** Values of a run that could identify the customer, and their replacements in a snapshot. */
  'snapshot.preview': {
    input: z.strictObject({ run: runId }),
    output: z.object({ values: z.array(identifyingValue) }),
  },
} as const;

/** For the main process only, since the path comes from a dialog. */
export const snapshotShellCalls = {
  /** Writes a redacted copy of a run; `replaced` counts the removed values. */
  'snapshot.write': {
    input: z.strictObject({ run: runId, choice: redactionChoice, path: z.string() }),
    output: z.object({ path: z.string(), bytes: z.number(), replaced: z.number() }),
  },
  /**
   * Opens a copy for reading beside its original: it does not become a run of the library. It is closed by the next one,
   * and with the engine.
   */
  'snapshot.open': {
    input: z.strictObject({ path: z.string() }),
    output: z.object({ run: runId }),
  },
} as const;
