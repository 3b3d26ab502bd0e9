import type { Handlers } from '../../src/contract/calls';
import { compareRuns, type Candidate } from '../../src/domain/compare/comparison';
import { measureRun } from '../../src/domain/compare/measureRun';
import { measuredOf, prepareMs, type RunFixture } from '../support/measured';
import type { RunSummary, VerdictReason } from '../../src/domain/model/run';
import { changedTags } from '../../src/domain/run/tags';
import { wobble } from '../scenario/noise';

/** Dependencies of the fake library on the fake engine. */
export interface FakeLibrary {
  readonly find: (id: string) => RunSummary;
  readonly all: () => readonly RunSummary[];
  /** Replaces rows with the same id. */
  readonly put: (...rows: RunSummary[]) => void;
}

type LibraryCalls = 'runs.tag' | 'runs.describe' | 'runs.baseline' | 'runs.compare';

/** The small servers of the scenario used G1 before they were tuned. */
const isTuned = ({ tags = [] }: RunSummary): boolean => tags.includes('zgc') || tags.includes('tuned');

/** A run that matches the figures of a row of the list. */
function sequenceOf(row: RunSummary): RunFixture {
  const got = row.connectedPeak;
  const most = row.cpuMaxPercent ?? 40;
  const broke = row.verdict === 'fail' ? Math.round(got * (isTuned(row) ? 0.59 : 0.98)) : undefined;
  const ratePerSecond = isTuned(row) ? 10 : 2;
  const arriving = Math.ceil(got / ratePerSecond);
  const seconds = Math.max(arriving + 30, 90);
  const viewers = Array.from({ length: seconds }, (_, i) => Math.min(got, (i + 1) * ratePerSecond));
  const brokeAt = broke === undefined ? -1 : viewers.findIndex((viewer) => viewer >= broke);
  const reasons: VerdictReason[] =
    broke === undefined
      ? []
      : [
          {
            number: 1,
            sentence: 'CPU went over 80 %.',
            expected: 'expected <= 80 %',
            expectation: 'cpu',
            timeMs: row.startedMs + prepareMs + brokeAt * 1000,
            node: 'atom',
          },
        ];
  const over = (each: number): number =>
    broke === undefined || each <= broke ? 0 : (each - broke) / Math.max(1, got - broke);
  const rise = broke === undefined ? most / got : 80 / broke;
  return {
    id: row.id,
    startedMs: row.startedMs,
    viewers,
    cpu: (each) =>
      Math.min(
        100,
        Math.max(
          1,
          (over(each) > 0 ? 80 + (most - 80) * Math.sqrt(over(each)) : each * rise) +
            wobble(`cpu ${row.id}`, each, 1.2),
        ),
      ),
    gc: (each) =>
      Math.max(0.2, ((row.gcMaxMs ?? 1) * each) / got / (over(each) > 0.5 ? 1 : 3) + wobble(`gc ${row.id}`, each, 0.3)),
    degraded: (each) => Math.round((row.degradedPercentPeak / 100) * each * over(each)),
    connect: (each) => Math.round((isTuned(row) ? 120 : 170) + each / 30 + wobble(row.id, each, 8)),
    reasons,
    gcSource: `GC log over SSH (${isTuned(row) ? 'ZGC' : 'G1'})`,
    pull: { viewers: row.requested, ratePerSecond },
    plan: { name: row.name },
    change: { name: row.name },
  };
}

function candidateOf(row: RunSummary, all: readonly RunSummary[]): Candidate {
  const key = ({ origin, requested, tags = [] }: RunSummary): string => [origin, requested, ...tags].join(' ');
  return {
    id: row.id,
    name: row.name,
    isBaseline: row.isBaseline === true,
    measure: measureRun(measuredOf(sequenceOf(row))),
    repeatKey: key(row),
    others: all
      .filter((other) => other.id !== row.id && other.verdict !== 'damaged' && key(other) === key(row))
      .map((other) => measureRun(measuredOf(sequenceOf(other)))),
  };
}

/** Tags, notes and baselines that last as long as the page, and comparisons of fake runs. */
export function libraryHandlers({ find, all, put }: FakeLibrary): Handlers<LibraryCalls> {
  return {
    'runs.tag': ({ runs, add, remove }) => {
      const rows = runs.map((id) => ({
        ...find(id),
        tags: [...changedTags(find(id).tags ?? [], { add, remove })],
      }));
      put(...rows);
      return rows;
    },
    'runs.describe': ({ run, note }) => {
      const row = { ...find(run), note: note.trim() === '' ? undefined : note.trim() };
      put(row);
      return row;
    },
    'runs.baseline': ({ run, isBaseline }) => {
      const row = { ...find(run), isBaseline };
      put(row);
      return row;
    },
    'runs.compare': ({ runs }) => compareRuns(runs.map((id) => candidateOf(find(id), all()))),
  };
}
