import { z } from 'zod';
import { comparison, minCompared, maxCompared } from '../domain/compare/comparison';
import { alignments } from '../domain/compare/curves';
import { longestTag, tagOf } from '../domain/run/tags';
import { givenNote } from './names';
import { runId, runSummary } from './schemas';

/** What users save with runs: tags, notes, baselines; and the comparison of runs. */

const tags = z
  .array(
    z
      .string()
      .max(longestTag)
      .refine((tag) => tagOf(tag) === tag, 'a tag consists of lower-case letters, digits and . _ : / + -'),
  )
  .max(100);

export const longestRunNote = 4000;

const comparedRuns = z
  .array(runId)
  .min(minCompared)
  .max(maxCompared)
  .refine((runs) => new Set(runs).size === runs.length, 'each run once');

/** Formats of a comparison. `srs` is the table of the SRS project's benchmark, as Markdown. */
export const comparisonKinds = ['md', 'csv', 'html', 'srs'] as const;
export const comparisonKind = z.enum(comparisonKinds);
export type ComparisonKind = z.infer<typeof comparisonKind>;

export const alignment = z.enum(alignments);

export const libraryCalls = {
  /** Adds and removes tags of several runs at once; returns their rows. */
  'runs.tag': {
    input: z.strictObject({ runs: z.array(runId).min(1).max(500), add: tags, remove: tags }),
    output: z.array(runSummary),
  },
  /** Replaces the description of a run; an empty text removes it. */
  'runs.describe': {
    input: z.strictObject({ run: runId, note: givenNote(longestRunNote) }),
    output: runSummary,
  },
  /**
   * Marks a run as the baseline for later runs of the same plan and origin; replaces any earlier baseline of that test.
   */
  'runs.baseline': {
    input: z.strictObject({ run: runId, isBaseline: z.boolean() }),
    output: runSummary,
  },
  /** Compares two to five saved runs, oldest first. */
  'runs.compare': { input: z.strictObject({ runs: comparedRuns }), output: comparison },
} as const;

/** Its calls for the main process only, since they take paths chosen in a dialog. */
export const libraryShellCalls = {
  'runs.exportComparison': {
    input: z.strictObject({ runs: comparedRuns, kind: comparisonKind, alignment, path: z.string() }),
    output: z.object({ path: z.string(), bytes: z.number() }),
  },
} as const;

export const libraryEvents = {} as const;
