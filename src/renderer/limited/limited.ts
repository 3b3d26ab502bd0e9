import type { FailureGroup, RunView } from '../../domain/run';
import { limitedAreas } from '../../domain/tester/limitedAreas';
import { isTestersFault } from '../../domain/tester/testerRules';
import type { DoubtfulStretch } from '../charts/scene';

/** What stands beside every figure that a tester, not the server, bounded. */
export const testerLimitedWord = 'tester-limited';

type Limited = Pick<RunView, 'testerLimits' | 'state'>;

/** The hatched areas of the charts. */
export function doubtfulTimes(run: Pick<RunView, 'testerLimits'>): readonly DoubtfulStretch[] {
  return limitedAreas(run).map((area) => ({ ...area, label: testerLimitedWord }));
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
