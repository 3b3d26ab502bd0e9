import { againstBaseline } from '../../domain/baseline/againstBaseline';
import type { Baseline } from '../../domain/baseline/baselineRows';
import { describeRun, isSameTest } from '../../domain/compare/describeRun';
import { measureRun } from '../../domain/compare/measureRun';
import type { Judgement } from '../../domain/evidence/evidence';
import type { RunSummary, RunView } from '../../domain/model/run';
import type { RunLibrary, RunReader } from '../store';
import { connectTimes, measureSaved, repeatsOf } from './compare';

/** The baseline of a run's test; the newest if imported files brought several. */
export function baselineOf(view: RunView, all: readonly RunSummary[]): RunSummary | undefined {
  const described = describeRun(view);
  return all
    .filter((row) => row.isBaseline === true && row.id !== view.id && isSameTest({ ...row, ...described }, row))
    .sort((a, b) => b.startedMs - a.startedMs)[0];
}

/**
 * Compares an ending run with the baseline of its test in this library, if one exists. An unreadable baseline only
 * loses the comparison.
 */
export function comparedWithBaseline(
  judgement: Judgement,
  view: RunView,
  reader: Pick<RunReader, 'values' | 'viewers'>,
  { library, problem }: { readonly library: RunLibrary; readonly problem: (sentence: string) => void },
): Judgement {
  let row: RunSummary | undefined;
  try {
    const all = library.list();
    row = baselineOf(view, all);
    if (!row) return judgement;
    const run = measureRun({
      view: { ...view, ...judgement },
      values: (node, series) => reader.values(node, series),
      connectMs: connectTimes(reader),
    });
    return againstBaseline(judgement, run, measuredBaseline(library, row, all));
  } catch (error) {
    problem(
      `${row ? `The baseline "${row.name}"` : 'The baseline'} could not be compared with the run: ${(error as Error).message}`,
    );
    return judgement;
  }
}

/** Reads a baseline and its repeats. */
export function measuredBaseline(library: RunLibrary, row: RunSummary, all: readonly RunSummary[]): Baseline {
  const { startedMs } = row;
  // A later run that was found worse than the baseline is not a repeat of it: it would hide the next regression.
  const repeats = repeatsOf(row, all)
    .filter((each) => each.verdict === 'pass' || each.startedMs <= startedMs)
    .map(({ id }) => measureSaved(library, id));
  return { measure: measureSaved(library, row.id), repeats };
}
