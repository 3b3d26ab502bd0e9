import { FullhouseError } from '../../contract/calls';
import { isSameTest } from '../../domain/compare/describeRun';
import type { RunId, RunSummary } from '../../domain/model/run';
import type { RunLibrary } from '../store';

/** Marks a run as baseline, or removes the mark. Only one run of a test can be its baseline. Throws `no-baseline`. */
export function setBaseline(library: RunLibrary, run: RunId, isBaseline: boolean): RunSummary {
  const row = library.summary(run);
  if (!isBaseline) return library.keep(run, { isBaseline });
  if (row.verdict === 'running')
    throw new FullhouseError('no-baseline', `"${row.name}" is still running; only an ended run can be a baseline.`);
  if (row.planShape === undefined || row.origin === '')
    throw new FullhouseError('no-baseline', `"${row.name}" has no plan and origin that later runs could repeat.`);
  for (const other of library.list())
    if (other.isBaseline === true && other.id !== run && isSameTest(row, other))
      library.keep(other.id, { isBaseline: false });
  return library.keep(run, { isBaseline });
}
