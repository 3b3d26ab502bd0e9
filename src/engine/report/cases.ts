import { describeExpectation, expectationIds } from '../../domain/expectationText';
import type { SeriesThreshold } from '../../domain/plan/plan';
import type { RunView, VerdictReason } from '../../domain/run';
import { seriesDefinition } from '../../domain/series';
import { causeOf } from '../../domain/verdict/cause';
import { expectedOf } from '../../domain/verdict/verdictThresholds';
import { nodeNamed } from './pageData';

type CaseResult = 'passed' | 'failed' | 'unclear' | 'skipped';

/** One thing that was expected of a run, as CI systems count them. */
export interface RunCase {
  readonly name: string;
  readonly result: CaseResult;
  /** What decided it; absent for what passed. */
  readonly sentence?: string;
  readonly expected?: string;
  /** Since the run's start. */
  readonly atMs?: number;
}

/** A reason or a note of a verdict, by what it is about. */
type Told = Partial<Pick<VerdictReason, 'expectation' | 'series' | 'expected' | 'node'>>;

/** An expectation of the plan, and which reasons of a verdict speak of it. */
interface Expected {
  readonly name: string;
  readonly isMine: (reason: Told) => boolean;
  readonly needsFullTime: boolean;
}

const titles = {
  connected: 'viewers connected',
  degraded: 'viewers degraded',
  cpu: 'CPU of the origin',
  gcPause: 'GC pause of the origin',
} as const;

/**
 * The run itself, then everything that its plan expects, then what else it failed by. Unclear is what a machine must not take for a pass:
 * the run was stopped or can't be judged.
 */
export function casesOf(view: RunView): RunCase[] {
  const { verdict, plan } = view;
  const expected: Expected[] = [
    ...expectationIds.flatMap((id): Expected[] => {
      const expectation = plan.expect[id];
      return expectation
        ? [
            {
              name: `${titles[id]} ${describeExpectation(id, expectation)}`,
              isMine: (reason) => reason.expectation === id,
              needsFullTime: id === 'connected',
            },
          ]
        : [];
    }),
    ...(plan.thresholds ?? []).map((threshold): Expected => ({
      name: thresholdText(threshold),
      isMine: (reason) => isOf(view, reason, threshold),
      needsFullTime: false,
    })),
  ];
  const others = (verdict?.reasons ?? [])
    .filter((reason) => !expected.some(({ isMine }) => isMine(reason)))
    // What spoilt the run is told by the case of the run itself.
    .filter((reason) => causeOf(reason, view) === 'origin')
    .map((reason) => told(view, reason.expected, reason));
  return [wholeRun(view), ...expected.map((each) => caseOf(view, each)), ...others];
}

function wholeRun({ verdict }: RunView): RunCase {
  const name = 'the run can be judged';
  if (verdict?.verdict === 'pass' || verdict?.verdict === 'fail') return { name, result: 'passed' };
  return {
    name,
    result: 'unclear',
    sentence: verdict?.sentence ?? 'The run is not over yet, so it has no verdict.',
  };
}

function caseOf(view: RunView, { name, isMine, needsFullTime }: Expected): RunCase {
  const { verdict } = view;
  const reason = verdict?.reasons.find(isMine);
  if (reason) return told(view, name, reason);
  const note = verdict?.notes?.find(isMine);
  if (note) return { name, result: 'skipped', sentence: note.sentence };
  // A stopped run never had the time to fill the house; an interrupted one was not judged at all.
  const isJudged =
    verdict?.verdict === 'pass' ||
    verdict?.verdict === 'fail' ||
    (verdict?.verdict === 'inconclusive' && verdict.reasons.length > 0) ||
    (verdict?.verdict === 'stopped' && !needsFullTime);
  return isJudged
    ? { name, result: 'passed' }
    : {
        name,
        result: 'skipped',
        sentence: verdict?.sentence ?? 'The run is not over yet, so it has no verdict.',
      };
}

function told(view: RunView, name: string, reason: VerdictReason): RunCase {
  const { sentence, expected, timeMs } = reason;
  const result = causeOf(reason, view) === 'origin' ? 'failed' : 'unclear';
  return { name, result, sentence, expected, atMs: timeMs - view.startedMs };
}

function isOf(view: RunView, reason: Told, threshold: SeriesThreshold): boolean {
  // Two bounds of one series are told apart by what they expect. What was not measured may name no node.
  if (reason.series !== threshold.series || reason.expected !== expectedOf(threshold)) return false;
  const { node } = threshold;
  return node === undefined || reason.node === undefined || reason.node === nodeNamed(view.nodes, node)?.id;
}

function thresholdText({ series, node, comparison, value }: SeriesThreshold): string {
  const { title = series, unit = '' } = seriesDefinition(series) ?? {};
  return `${title}${node === undefined ? '' : ` of ${node}`} ${comparison} ${value}${unit && ` ${unit}`}`;
}
