import { writeFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { FullhouseError } from '../../contract/calls';
import { comparisonKinds, type ComparisonKind } from '../../contract/libraryCalls';
import { letters, maxCompared, minCompared } from '../../domain/compare/comparison';
import { alignments, type Alignment } from '../../domain/compare/curves';
import type { SavedRuns } from '../../engine/savedRuns/savedRuns';
import { reasonOf } from '../../engine/store/failure';
import { command, form } from '../command';
import { exitCodes } from '../exitCodes';
import type { Installation } from '../installation';
import { choice, otherwise, out, withDefault } from '../options';
import { print, printDocument } from '../print';
import { runFileExtension, savedRunFile, withCopies, withSavedRuns } from '../savedRun';
import { UsageError } from '../usageError';

export const compare = command({
  name: 'compare',
  operand: 'run',
  options: {
    align: withDefault(choice('AXIS', 'what the runs are compared on', alignments), 'viewers'),
    table: choice('TABLE', 'the table that SRS publishes', ['srs']),
    out: otherwise(out, 'standard output, as Markdown'),
  },
  forms: [
    form(
      'RUN RUN [RUN ...] [--align viewers|time] [--table srs] [--out FILE.md|csv|html]',
      `compare ${minCompared} to ${maxCompared} runs, the oldest as ${letters[0]}`,
    ),
  ],
  examples: ['compare runs/before.fullhouse runs/after.fullhouse --out compared.html'],
  read: ({ operands: runs, values: { align, table, out: path } }) => {
    if (runs.length < minCompared || runs.length > maxCompared)
      throw new UsageError(`Name ${minCompared} to ${maxCompared} runs, not ${runs.length}: fullhouse compare RUN RUN`);
    const alignment = alignments.find((known) => known === align);
    if (alignment === undefined) throw new UsageError(`--align must be ${alignments.join(' or ')}, not "${align}".`);
    return { runs, kind: kindOf(table, path), alignment, out: path };
  },
  run: compareRuns,
});

function kindOf(table: string | undefined, out: string | undefined): ComparisonKind {
  if (table !== undefined && table !== 'srs') throw new UsageError(`--table must be srs, not "${table}".`);
  if (table === 'srs') return 'srs';
  if (out === undefined) return 'md';
  const kind = comparisonKinds.find((kind) => out.toLowerCase().endsWith(`.${kind}`));
  if (!kind || kind === 'srs')
    throw new UsageError('--out FILE must end in .md, .csv or .html, which selects the format.');
  return kind;
}

interface CompareInput {
  readonly runs: readonly string[];
  readonly kind: ComparisonKind;
  readonly alignment: Alignment;
  /** Undefined: standard output. */
  readonly out: string | undefined;
}

/** Compares saved runs. Runs of one folder are compared there, so that its other runs provide the noise. */
async function compareRuns(
  { runs: names, kind, alignment, ...input }: CompareInput,
  installation: Installation,
): Promise<number> {
  const text = await withRuns(names.map(savedRunFile), installation, (runs, ids) =>
    runs.call('compareText', { runs: ids, form: { kind, alignment } }),
  );
  if (input.out === undefined) printDocument(text);
  else {
    const path = resolve(input.out);
    try {
      writeFileSync(path, text);
    } catch (error) {
      throw new FullhouseError('export-failed', `${path} can't be written: ${reasonOf(error)}.`);
    }
    print(path);
  }
  return exitCodes.pass;
}

/** Runs from several folders are read from copies: reading a run does not change it. */
function withRuns<T>(
  files: readonly string[],
  installation: Installation,
  use: (runs: SavedRuns, ids: readonly string[]) => Promise<T>,
): Promise<T> {
  const [folder, ...others] = new Set(files.map((file) => dirname(file)));
  const isLibrary = files.every((file) => file.endsWith(runFileExtension));
  if (folder !== undefined && others.length === 0 && isLibrary)
    return withSavedRuns(folder, installation, (runs) =>
      use(
        runs,
        files.map((file) => basename(file, runFileExtension)),
      ),
    );
  return withCopies(files, installation, (runs, ids) => {
    if (new Set(ids).size < ids.length)
      throw new FullhouseError('same-run', 'Two of the files are recordings of the same run.');
    return use(runs, ids);
  });
}
