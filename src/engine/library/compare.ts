import { FullhouseError } from '../../contract/calls';
import { compareRuns, type Candidate, type Comparison } from '../../domain/compare/comparison';
import { isRepeat } from '../../domain/compare/describeRun';
import { comparedSeries } from '../../domain/compare/curves';
import { measureRun, type RunMeasure } from '../../domain/compare/measureRun';
import type { RunId, RunSummary } from '../../domain/model/run';
import { readSaved, type RunLibrary, type RunReader } from '../store';

/** More repeats add little to the noise estimate, and each is a file to read. */
const maxRepeats = 8;
const viewersAtOnce = 5000;

/** Reads what a comparison needs of a run. Throws what the library throws. */
export function measureSaved(library: RunLibrary, run: RunId): RunMeasure {
  return readSaved(library, run, measureReader);
}

export function measureReader(reader: RunReader): RunMeasure {
  reader.prepare(comparedSeries);
  return measureRun({
    view: reader.view(),
    values: (node, series) => reader.values(node, series),
    connectMs: connectTimes(reader),
  });
}

/** Time to connect of each connected viewer, ms. */
export function connectTimes(reader: Pick<RunReader, 'viewers'>): number[] {
  const found: number[] = [];
  for (let offset = 0; ; offset += viewersAtOnce) {
    const { total, viewers } = reader.viewers(offset, viewersAtOnce);
    for (const { connectMs } of viewers) if (connectMs !== undefined) found.push(connectMs);
    if (offset + viewersAtOnce >= total) return found;
  }
}

/** Repeats of this run that serve to estimate the noise: ended as planned, newest first. */
export function repeatsOf(run: RunSummary, all: readonly RunSummary[]): readonly RunSummary[] {
  const isWhole = ({ verdict }: RunSummary): boolean => verdict === 'pass' || verdict === 'fail';
  return all.filter((other) => other.id !== run.id && isWhole(other) && isRepeat(run, other)).slice(0, maxRepeats);
}

/** Compares saved runs; repeats of them in the library provide the noise. */
export function compareSaved(library: RunLibrary, runs: readonly RunId[]): Comparison {
  const rows = library.list();
  const chosen = runs.map((id) => {
    const row = rows.find((row) => row.id === id) ?? library.summary(id);
    if (row.verdict === 'damaged')
      throw new FullhouseError(
        'damaged-run',
        `"${row.name}" can't be compared: ${row.problem ?? 'its file is damaged.'}`,
      );
    return row;
  });
  const known = new Map<RunId, RunMeasure>();
  const measured = (id: RunId): RunMeasure => {
    const measure = known.get(id) ?? measureSaved(library, id);
    known.set(id, measure);
    return measure;
  };
  const candidates = chosen.map((row): Candidate => ({
    id: row.id,
    name: row.name,
    isBaseline: row.isBaseline === true,
    measure: measured(row.id),
    repeatKey: JSON.stringify([row.origin, row.planName, row.planShape, row.setup]),
    others: repeatsOf(row, rows).map(({ id }) => measured(id)),
  }));
  return compareRuns(candidates);
}
