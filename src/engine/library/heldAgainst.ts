import { againstBaseline } from '../../domain/baseline/againstBaseline';
import { describeRun, isSameTest } from '../../domain/compare/describeRun';
import { measureRun } from '../../domain/compare/measureRun';
import type { Judgement } from '../../domain/verdict/judged';
import type { RunSummary, RunView } from '../../domain/run';
import type { RunLibrary, RunReader } from '../store';
import { connectTimes, measureKept, repeatsOf } from './compare';

/** The baseline of a run's test, the newest where files from elsewhere brought several. */
export function baselineOf(view: RunView, all: readonly RunSummary[]): RunSummary | undefined {
  const described = describeRun(view);
  return all
    .filter(
      (row) => row.isBaseline === true && row.id !== view.id && isSameTest({ ...row, ...described }, row),
    )
    .sort((a, b) => b.startedMs - a.startedMs)[0];
}

/** Holds a run that ends against the baseline of its test, if there is one. A baseline that can't be read costs nothing but itself. */
export function heldAgainstBaseline(
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
    const { startedMs } = row;
    // What came after the baseline and was found worse is no repeat of it: it would hide whatever is worse next.
    const repeats = repeatsOf(row, all)
      .filter((each) => each.verdict === 'pass' || each.startedMs <= startedMs)
      .map(({ id }) => measureKept(library, id));
    return againstBaseline(judgement, run, { measure: measureKept(library, row.id), repeats });
  } catch (error) {
    problem(
      `${row ? `The baseline "${row.name}"` : 'The baseline'} could not be compared with the run: ${(error as Error).message}`,
    );
    return judgement;
  }
}
