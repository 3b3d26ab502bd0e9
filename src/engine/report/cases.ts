import { describeExpectation, expectationIds } from '../../domain/expectationText';
import type { SeriesThreshold } from '../../domain/plan';
import type { RunView, VerdictReason } from '../../domain/run';
import { seriesDefinition } from '../../domain/series';

export type CaseResult = 'passed' | 'failed' | 'unclear' | 'skipped';

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
  const expected = [
    ...expectationIds.flatMap((id) => {
      const expectation = plan.expect[id];
      const isMine = (reason: VerdictReason): boolean => reason.expectation === id;
      return expectation
        ? [caseOf(view, `${titles[id]} ${describeExpectation(id, expectation)}`, isMine, id === 'connected')]
        : [];
    }),
    ...(plan.thresholds ?? []).map((threshold) =>
      caseOf(view, thresholdText(threshold), (reason) => isOf(reason, threshold), false),
    ),
  ];
  const others = (verdict?.reasons ?? [])
    .filter(({ expectation, series }) => expectation === undefined && series === undefined)
    .filter(({ sentence }) => !(view.testerLimits ?? []).some((limit) => limit.sentence === sentence))
    .map((reason) => told(view, reason.expected, reason));
  return [wholeRun(view), ...expected, ...others];
}

function wholeRun({ verdict }: RunView): RunCase {
  const name = 'the run can be judged';
  if (verdict?.verdict === 'pass' || verdict?.verdict === 'fail') return { name, result: 'passed' };
  return { name, result: 'unclear', sentence: verdict?.sentence ?? 'The run has no verdict.' };
}

function caseOf(
  view: RunView,
  name: string,
  isMine: (reason: VerdictReason) => boolean,
  needsFullTime: boolean,
): RunCase {
  const { verdict } = view;
  const reason = verdict?.reasons.find(isMine);
  if (reason) return told(view, name, reason);
  // A stopped run never had the time to fill the house; an interrupted one was not judged at all.
  const isJudged =
    verdict?.verdict === 'pass' ||
    verdict?.verdict === 'fail' ||
    (verdict?.verdict === 'inconclusive' && verdict.reasons.length > 0) ||
    (verdict?.verdict === 'stopped' && !needsFullTime);
  return isJudged
    ? { name, result: 'passed' }
    : { name, result: 'skipped', sentence: verdict?.sentence ?? 'The run has no verdict.' };
}

function told(view: RunView, name: string, { sentence, expected, timeMs }: VerdictReason): RunCase {
  const result = view.verdict?.verdict === 'inconclusive' ? 'unclear' : 'failed';
  return { name, result, sentence, expected, atMs: timeMs - view.startedMs };
}

function isOf(reason: VerdictReason, { series, node, value }: SeriesThreshold): boolean {
  if (reason.series !== series || (node !== undefined && reason.node !== node)) return false;
  // Two bounds of one series are told apart by their value.
  return reason.expected.replace(/,/g, '').includes(String(value));
}

function thresholdText({ series, node, comparison, value }: SeriesThreshold): string {
  const { title = series, unit = '' } = seriesDefinition(series) ?? {};
  return `${title}${node === undefined ? '' : ` of ${node}`} ${comparison} ${value}${unit && ` ${unit}`}`;
}
