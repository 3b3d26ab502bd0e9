import type { FailureGroup, RunView } from '../../domain/run';
import { isTestersFault } from '../../domain/tester/testerRules';
import type { DoubtfulStretch } from '../charts/scene';

/** What stands beside every figure that a tester, not the server, bounded. */
export const testerLimitedWord = 'tester-limited';

type Limited = Pick<RunView, 'testerLimits' | 'state'>;

/** From the first limit to the end of the last; without an end while one lasts, or where it lasted to the end. */
export function doubtfulStretch({
  testerLimits = [],
}: Pick<RunView, 'testerLimits'>): DoubtfulStretch | undefined {
  if (testerLimits.length === 0) return undefined;
  const fromMs = Math.min(...testerLimits.map((limit) => limit.fromMs));
  const ends = testerLimits.flatMap(({ toMs }) => (toMs === undefined ? [] : [toMs]));
  const toMs = ends.length === testerLimits.length ? Math.max(...ends) : undefined;
  return { fromMs, label: testerLimitedWord, ...(toMs === undefined ? {} : { toMs }) };
}

/** Whether the figures on the screen are bounded by a tester: now while it runs, at any time once it has ended. */
export function isTesterLimited({ testerLimits = [], state }: Limited): boolean {
  return testerLimits.some(({ toMs }) => state === 'ended' || toMs === undefined);
}

/** The limits of a node that are of interest: those under way, or all once the run has ended. */
export function limitsOf(run: Limited | undefined, node: string): NonNullable<RunView['testerLimits']> {
  const mine = (run?.testerLimits ?? []).filter((limit) => limit.node === node);
  return run?.state === 'ended' ? mine : mine.filter(({ toMs }) => toMs === undefined);
}

/** A failure that its tester made itself: the server had no part in it. */
export function isTestersOwn({ cause }: Pick<FailureGroup, 'cause'>): boolean {
  return isTestersFault(cause);
}

/** Viewers that failed because their tester had nothing left for them. */
export function ownFailures(groups: readonly FailureGroup[]): number {
  return groups.filter(isTestersOwn).reduce((sum, { count }) => sum + count, 0);
}
