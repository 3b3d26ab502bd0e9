import { z } from 'zod';
import { fewestCompared, mostCompared } from '../domain/compare/comparison';
import { alignments } from '../domain/compare/curves';
import { longestTag, tagOf } from '../domain/tags';
import { comparison } from './comparisonSchemas';
import { runId, runSummary } from './schemas';

/** What people keep with runs: tags, notes, baselines; and runs held against each other. */

const tags = z
  .array(
    z
      .string()
      .max(longestTag)
      .refine((tag) => tagOf(tag) === tag, 'a tag is lower case, of letters, digits and . _ : / + -'),
  )
  .max(100);

export const longestRunNote = 4000;

const comparedRuns = z
  .array(runId)
  .min(fewestCompared)
  .max(mostCompared)
  .refine((runs) => new Set(runs).size === runs.length, 'each run once');

/** Forms of a comparison. `srs` is the table of the SRS project's benchmark, as Markdown. */
export const comparisonKinds = ['md', 'csv', 'html', 'srs'] as const;
export const comparisonKind = z.enum(comparisonKinds);
export type ComparisonKind = z.infer<typeof comparisonKind>;

export const alignment = z.enum(alignments);

export const libraryCalls = {
  /** Adds and removes tags of several runs at once; answers their rows. */
  'runs.tag': {
    input: z.strictObject({ runs: z.array(runId).min(1).max(500), add: tags, remove: tags }),
    output: z.array(runSummary),
  },
  /** Replaces what a person has written of a run; an empty text takes it away. */
  'runs.describe': {
    input: z.strictObject({ run: runId, note: z.string().max(longestRunNote) }),
    output: runSummary,
  },
  /** Marks a run as the one that later runs of the same plan and origin are held against; any other mark of the same test goes. */
  'runs.baseline': {
    input: z.strictObject({ run: runId, isBaseline: z.boolean() }),
    output: runSummary,
  },
  /** Holds two to five kept runs against each other, the oldest first. */
  'runs.compare': { input: z.strictObject({ runs: comparedRuns }), output: comparison },
} as const;

/** Calls of it that only the main process may make, since they take paths that a dialog has chosen. */
export const libraryShellCalls = {
  'runs.exportComparison': {
    input: z.strictObject({ runs: comparedRuns, kind: comparisonKind, alignment, path: z.string() }),
    output: z.object({ path: z.string(), bytes: z.number() }),
  },
} as const;

export const libraryEvents = {} as const;
