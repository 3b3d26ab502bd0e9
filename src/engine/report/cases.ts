import type { RunView, VerdictFinding, VerdictReason } from '../../domain/model/run';
import { findingNames, findingsOf, isOfOrigin, planExpectations, reasonOfFinding } from './expectations';
import type { PlanExpectation } from './expectations';

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

/**
 * The run itself, then all expectations of its plan, then its other failures. `unclear` is what a machine must not take
 * for a pass: the run was stopped or is inconclusive.
 */
export function casesOf(view: RunView): RunCase[] {
  const expected = planExpectations(view);
  const others = (view.verdict?.reasons ?? [])
    .filter((reason) => !expected.some((expectation) => isReported(view, expectation, reason)))
    // What disturbed the run is reported by the case of the run itself.
    .filter((reason) => isOfOrigin(reason, view))
    .map((reason) => failedCase(view, reason.expected, reason));
  return [wholeRun(view), ...expected.flatMap((expectation) => casesOfOne(view, expectation)), ...others];
}

/** Whether the cases of an expectation contain a reason. */
function isReported(view: RunView, expectation: PlanExpectation, reason: VerdictReason): boolean {
  const found = findingsOf(view, expectation);
  return found.length === 0
    ? expectation.matches(reason)
    : found.some((finding) => reasonOfFinding(view, finding) === reason);
}

/** One for each finding: several audiences or nodes are each met, failed or skipped. */
function casesOfOne(view: RunView, expectation: PlanExpectation): RunCase[] {
  const found = findingsOf(view, expectation);
  if (found.length === 0) return [caseOf(view, expectation)];
  const names = findingNames(view, expectation, found);
  return found.map((finding, place) => {
    const name = names[place] ?? expectation.name;
    const result = findingResult(view, expectation, finding);
    const { sentence, expected, timeMs } = finding;
    if (result === 'met') return { name, result: 'passed' };
    if (result === 'skipped') return { name, result, sentence };
    return {
      ...{ name, sentence, expected, atMs: timeMs - view.startedMs },
      result: result === 'failed' ? 'failed' : 'unclear',
    };
  });
}

/** What a finding says of its expectation, in the result as JSON and in JUnit XML. */
export function findingResult(
  view: RunView,
  { needsFullTime }: PlanExpectation,
  finding: VerdictFinding,
): 'met' | 'failed' | 'inconclusive' | 'skipped' {
  const isStopped = view.verdict?.verdict === 'stopped';
  switch (finding.result) {
    case 'met':
      return 'met';
    case 'skipped':
    case 'inapplicable':
      return 'skipped';
    case 'missing':
      return isStopped ? 'skipped' : 'inconclusive';
    case 'failed': {
      const reason = reasonOfFinding(view, finding);
      if (!reason && isStopped && needsFullTime) return 'skipped';
      return reason && isOfOrigin(reason, view) ? 'failed' : 'inconclusive';
    }
  }
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

export function caseOf(view: RunView, { name, matches, needsFullTime }: PlanExpectation): RunCase {
  const { verdict } = view;
  const reasons = verdict?.reasons.filter(matches) ?? [];
  // What the origin caused decides.
  const reason = reasons.find((reason) => isOfOrigin(reason, view)) ?? reasons[0];
  if (reason) {
    const sentence = reasons.map((reason) => reason.sentence).join(' ');
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
  const result = isOfOrigin(reason, view) ? 'failed' : 'unclear';
  return { name, result, sentence, expected, atMs: timeMs - view.startedMs };
}
