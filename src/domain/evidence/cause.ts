import type { NodeView } from '../model/node';
import type { ExpectationId } from '../model/plan';
import type { ReasonCause, RunView, VerdictReason } from '../model/run';

type VerdictView = Pick<RunView, 'verdict' | 'nodes'>;
type CausedReason = VerdictReason & { readonly causedBy: ReasonCause };

/**
 * The cause of a reason. In runs of older versions it is absent: a reason without an expectation was a tester's own
 * limit.
 */
export function causeOf(
  { causedBy, expectation, series, node }: VerdictReason,
  { verdict, nodes }: VerdictView,
): ReasonCause {
  if (causedBy !== undefined) return causedBy;
  if (expectation === undefined && series === undefined && isTester(node, nodes)) return 'tester';
  if (verdict?.verdict !== 'inconclusive') return 'origin';
  // An older inconclusive verdict started with its testers' limits, else with missing measurements.
  const [first] = verdict.reasons;
  return isTester(first?.node, nodes) && first?.expectation === undefined ? 'tester' : 'unmeasured';
}

/**
 * The one reason that summarises a run, everywhere: the first of its verdict. Viewers that did not connect are detected
 * at the end of the hold and are mostly a consequence, so another reason of the same cause takes precedence.
 */
export function firstReason(run: VerdictView): CausedReason | undefined {
  const reasons = (run.verdict?.reasons ?? []).map((reason) => ({
    ...reason,
    causedBy: causeOf(reason, run),
  }));
  const [first] = reasons;
  return beforeConnected(reasons.filter(({ causedBy }) => causedBy === first?.causedBy));
}

/** The first that is not about viewers that did not connect, else the first. */
export function beforeConnected<T extends { readonly expectation?: ExpectationId }>(
  reasons: readonly T[],
): T | undefined {
  return reasons.find(({ expectation }) => expectation !== 'connected') ?? reasons[0];
}

/**
 * Whether an ended run was tester-limited, so that another tester would help. Not a run that passed or failed, whatever
 * the limits of its testers; one that was interrupted without a reason is judged by these.
 */
export function isBoundByTester(run: VerdictView & Pick<RunView, 'testerLimits'>): boolean {
  const name = run.verdict?.verdict;
  if (name === 'pass' || name === 'fail') return false;
  const first = firstReason(run);
  return first ? first.causedBy === 'tester' : (run.testerLimits ?? []).length > 0;
}

function isTester(name: string | undefined, nodes: readonly NodeView[]): boolean {
  return nodes.some(({ id, name: each, role }) => role === 'tester' && (id === name || each === name));
}
