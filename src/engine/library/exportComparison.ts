import { writeFileSync } from 'node:fs';
import { FullhouseError } from '../../contract/calls';
import type { ComparisonKind } from '../../contract/libraryCalls';
import type { Alignment } from '../../domain/compare/curves';
import { srsRows, srsTable } from '../../domain/compare/srsTable';
import { comparisonCsv, comparisonMarkdown } from '../../domain/compare/texts';
import type { RunId } from '../../domain/model/run';
import { readSaved, type RunLibrary } from '../store';
import { comparisonHtml } from './comparisonHtml';
import { compareSaved } from './compare';
import { reasonOf } from '../store/failure';

export interface ComparisonForm {
  readonly kind: ComparisonKind;
  /** The x axis of its charts. */
  readonly alignment: Alignment;
}

/**
 * Writes a comparison in one of its formats; resolves with the file's path and size. Throws `export-failed` with a
 * sentence.
 */
export function exportComparison(
  library: RunLibrary,
  runs: readonly RunId[],
  form: ComparisonForm,
  path: string,
): { path: string; bytes: number } {
  const text = comparisonText(library, runs, form);
  try {
    writeFileSync(path, text);
  } catch (error) {
    throw new FullhouseError('export-failed', `${path} can't be written: ${reasonOf(error)}.`, {
      cause: error,
    });
  }
  return { path, bytes: Buffer.byteLength(text) };
}

export function comparisonText(
  library: RunLibrary,
  runs: readonly RunId[],
  { kind, alignment }: ComparisonForm,
): string {
  switch (kind) {
    case 'srs':
      return srsTableOf(library, runs);
    case 'md':
      return comparisonMarkdown(compareSaved(library, runs), alignment);
    case 'csv':
      return comparisonCsv(compareSaved(library, runs), alignment);
    case 'html':
      return comparisonHtml(compareSaved(library, runs), alignment);
  }
}

/** The comparison table of the SRS project's page, from saved runs. */
function srsTableOf(library: RunLibrary, runs: readonly RunId[]): string {
  const rows = runs.flatMap((run) =>
    readSaved(library, run, (reader) =>
      srsRows({
        view: reader.view(),
        values: (node, series) => reader.values(node, series),
        connectMs: [],
      }),
    ),
  );
  return srsTable(rows);
}
