import type { RunResult } from '../../contract/runResult';
import type { RunView, VerdictFinding } from '../../domain/model/run';
import { caseOf, findingResult } from './cases';
import { findingNames, findingsOf, planExpectations, type PlanExpectation } from './expectations';
import { nodeNamed } from './pageData';

type ExpectationResult = RunResult['expectations'][number];

/** Each expectation of a run's plan with what was measured, one item for each node or audience. */
export function expectationResults(view: RunView): ExpectationResult[] {
  return planExpectations(view).flatMap((expectation) => {
    const found = findingsOf(view, expectation);
    const names = findingNames(view, expectation, found);
    return found.length > 0
      ? found.map((finding, place) => ({
          ...ofFinding(view, expectation, finding),
          name: names[place] ?? expectation.name,
        }))
      : [withoutFinding(view, expectation)];
  });
}

function ofFinding(view: RunView, expectation: PlanExpectation, finding: VerdictFinding): ExpectationResult {
  const { sentence, timeMs, measured, node = expectation.node, audience } = finding;
  return {
    ...described(expectation),
    measured: measured === undefined ? null : { value: Number(measured.toFixed(3)), unit: expectation.unit },
    result: findingResult(view, expectation, finding),
    ...{ sentence, ...when(view, timeMs) },
    node: (node !== undefined && nodeNamed(view.nodes, node)?.name) || (node ?? null),
    audience: audience ?? null,
  };
}

/** The result in a run of an older version, a limit search, or one without anything to judge. */
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
