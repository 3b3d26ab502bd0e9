import type { NodeView } from '../node';
import type { ExpectationId } from '../plan/plan';
import type { ReasonCause, RunView, VerdictReason } from '../run';

type Judged = Pick<RunView, 'verdict' | 'nodes'>;
type CausedReason = VerdictReason & { readonly causedBy: ReasonCause };

/** What a reason is about. Runs of older versions do not say: there, what named no expectation was a tester's own limit. */
export function causeOf(
  { causedBy, expectation, series, node }: VerdictReason,
  { verdict, nodes }: Judged,
): ReasonCause {
  if (causedBy !== undefined) return causedBy;
  if (expectation === undefined && series === undefined && isTester(node, nodes)) return 'tester';
  if (verdict?.verdict !== 'inconclusive') return 'origin';
  // An older inconclusive verdict began with its testers' limits, else with what was not measured.
  const [first] = verdict.reasons;
  return isTester(first?.node, nodes) && first?.expectation === undefined ? 'tester' : 'unmeasured';
}

/**
 * The one reason by which a run is told, everywhere: the first of its verdict. Viewers that never connected are seen at the end of the hold
 * and are mostly a consequence, so another reason of the same cause is told before them.
 */
export function firstReason(run: Judged): CausedReason | undefined {
  const reasons = (run.verdict?.reasons ?? []).map((reason) => ({
    ...reason,
    causedBy: causeOf(reason, run),
  }));
  const [first] = reasons;
  return beforeConnected(reasons.filter(({ causedBy }) => causedBy === first?.causedBy));
}

/** The first that is not about viewers who never connected, else the first. */
export function beforeConnected<T extends { readonly expectation?: ExpectationId }>(
  reasons: readonly T[],
): T | undefined {
  return reasons.find(({ expectation }) => expectation !== 'connected') ?? reasons[0];
}

/**
 * Whether an ended run was bounded by its testers, so that one more is the way on. A run that passed or failed was not, whatever limits its
 * testers were at; one that was cut off without a reason is told by them.
 */
export function isBoundByTester(run: Judged & Pick<RunView, 'testerLimits'>): boolean {
  const name = run.verdict?.verdict;
  if (name === 'pass' || name === 'fail') return false;
  const first = firstReason(run);
  return first ? first.causedBy === 'tester' : (run.testerLimits ?? []).length > 0;
}

function isTester(name: string | undefined, nodes: readonly NodeView[]): boolean {
  return nodes.some(({ id, name: each, role }) => role === 'tester' && (id === name || each === name));
}
