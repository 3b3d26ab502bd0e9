import type { RunResult } from '../../contract/runResult';
import type { RunView, VerdictFinding } from '../../domain/model/run';
import { caseOf } from './cases';
import { findingsOf, isOfOrigin, planExpectations, reasonOfFinding, type PlanExpectation } from './expectations';
import { nodeNamed } from './pageData';

type ExpectationResult = RunResult['expectations'][number];

/** Each expectation of a run's plan with what was measured, one item for each node or audience. */
export function expectationResults(view: RunView): ExpectationResult[] {
  return planExpectations(view).flatMap((expectation) => {
    const found = findingsOf(view, expectation);
    return found.length > 0
      ? found.map((finding) => ofFinding(view, expectation, finding))
      : [withoutFinding(view, expectation)];
  });
}

function ofFinding(view: RunView, expectation: PlanExpectation, finding: VerdictFinding): ExpectationResult {
  const { sentence, timeMs, measured, node = expectation.node, audience } = finding;
  return {
    ...described(expectation),
    measured: measured === undefined ? null : { value: Number(measured.toFixed(3)), unit: expectation.unit },
    result: resultOf(view, expectation, finding),
    ...{ sentence, ...when(view, timeMs) },
    node: (node !== undefined && nodeNamed(view.nodes, node)?.name) || (node ?? null),
    audience: audience ?? null,
  };
}

function resultOf(
  view: RunView,
  { needsFullTime }: PlanExpectation,
  finding: VerdictFinding,
): ExpectationResult['result'] {
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

/** Of a run of an older version, a limit search, or one without anything to judge. */
function withoutFinding(view: RunView, expectation: PlanExpectation): ExpectationResult {
  const { result, sentence, atMs } = caseOf(view, expectation);
  const results = { passed: 'met', failed: 'failed', unclear: 'inconclusive', skipped: 'skipped' } as const;
  return {
    ...described(expectation),
    ...{ measured: null, result: results[result], sentence: sentence ?? null },
    ...(atMs === undefined ? { at: null, atS: null } : when(view, view.startedMs + atMs)),
    node: expectation.node ?? null,
    audience: null,
  };
}

const described = ({ id, name, expected, comparison, value, unit }: PlanExpectation) => ({
  ...{ id, name },
  expected: { text: expected, comparison, value, unit },
});

const when = ({ startedMs }: RunView, timeMs: number): { readonly at: string; readonly atS: number } => ({
  at: new Date(timeMs).toISOString(),
  atS: Number(((timeMs - startedMs) / 1000).toFixed(1)),
});
