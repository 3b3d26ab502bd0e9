import { describeExpectation, expectationIds } from '../../domain/plan/expectationText';
import type { SeriesThreshold } from '../../domain/model/plan';
import type { RunView, VerdictReason } from '../../domain/model/run';
import { seriesDefinition } from '../../domain/series/series';
import { causeOf } from '../../domain/evidence/cause';
import { expectedOf } from '../../domain/verdict/verdictThresholds';
import { nodeNamed } from './pageData';

type CaseResult = 'passed' | 'failed' | 'unclear' | 'skipped';

/** One expectation of a run, as CI systems count them. */
export interface RunCase {
  readonly name: string;
  readonly result: CaseResult;
  /** The reason of the result; absent if passed. */
  readonly sentence?: string;
  readonly expected?: string;
  /** Since the run's start. */
  readonly atMs?: number;
}

/** The subject of a reason or note of a verdict. */
type Subject = Partial<Pick<VerdictReason, 'expectation' | 'series' | 'expected' | 'node'>>;

/** An expectation of the plan, and which reasons of a verdict belong to it. */
interface Expected {
  readonly name: string;
  readonly matches: (reason: Subject) => boolean;
  readonly needsFullTime: boolean;
}

const titles = {
  connected: 'viewers connected',
  degraded: 'viewers degraded',
  cpu: 'CPU of the origin',
  gcPause: 'GC pause of the origin',
} as const;

/**
 * The run itself, then all expectations of its plan, then its other failures. `unclear` is what a machine must not take
 * for a pass: the run was stopped or is inconclusive.
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
              matches: (reason) => reason.expectation === id,
              needsFullTime: id === 'connected',
            },
          ]
        : [];
    }),
    ...(plan.thresholds ?? []).map((threshold): Expected => ({
      name: thresholdText(threshold),
      matches: (reason) => isOf(view, reason, threshold),
      needsFullTime: false,
    })),
  ];
  const others = (verdict?.reasons ?? [])
    .filter((reason) => !expected.some(({ matches }) => matches(reason)))
    // What disturbed the run is reported by the case of the run itself.
    .filter((reason) => causeOf(reason, view) === 'origin')
    .map((reason) => failedCase(view, reason.expected, reason));
  return [wholeRun(view), ...expected.map((each) => caseOf(view, each)), ...others];
}

function wholeRun({ verdict }: RunView): RunCase {
  const name = 'the run is conclusive';
  if (verdict?.verdict === 'pass' || verdict?.verdict === 'fail') return { name, result: 'passed' };
  return {
    name,
    result: 'unclear',
    sentence: verdict?.sentence ?? 'The run has not ended, so it has no verdict.',
  };
}

function caseOf(view: RunView, { name, matches, needsFullTime }: Expected): RunCase {
  const { verdict } = view;
  const reasons = verdict?.reasons.filter(matches) ?? [];
  // What the origin caused decides.
  const reason = reasons.find((each) => causeOf(each, view) === 'origin') ?? reasons[0];
  if (reason) {
    const sentence = reasons.map((each) => each.sentence).join(' ');
    return failedCase(view, name, { ...reason, sentence });
  }
  const note = verdict?.notes?.find(matches);
  if (note) return { name, result: 'skipped', sentence: note.sentence };
  // A stopped run never had the time to connect all viewers; an interrupted one has no verdict.
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
        sentence: verdict?.sentence ?? 'The run has not ended, so it has no verdict.',
      };
}

function failedCase(view: RunView, name: string, reason: VerdictReason): RunCase {
  const { sentence, expected, timeMs } = reason;
  const result = causeOf(reason, view) === 'origin' ? 'failed' : 'unclear';
  return { name, result, sentence, expected, atMs: timeMs - view.startedMs };
}

function isOf(view: RunView, reason: Subject, threshold: SeriesThreshold): boolean {
  // Two thresholds of one series are distinguished by their expected values. One without measurements may have no node.
  if (reason.series !== threshold.series || reason.expected !== expectedOf(threshold)) return false;
  const { node } = threshold;
  return node === undefined || reason.node === undefined || reason.node === nodeNamed(view.nodes, node)?.id;
}

function thresholdText({ series, node, comparison, value }: SeriesThreshold): string {
  const { title = series, unit = '' } = seriesDefinition(series) ?? {};
  return `${title}${node === undefined ? '' : ` of ${node}`} ${comparison} ${value}${unit && ` ${unit}`}`;
}
