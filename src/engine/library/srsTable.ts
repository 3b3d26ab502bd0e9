import { srsRows, srsTable } from '../../domain/compare/srsTable';
import type { RunId } from '../../domain/model/run';
import { readSaved, type RunLibrary } from '../store';

/** The comparison table of the SRS project's page, from saved runs. */
export function srsTableOf(library: RunLibrary, runs: readonly RunId[]): string {
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
