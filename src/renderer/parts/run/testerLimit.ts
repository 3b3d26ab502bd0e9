import type { FailureGroup, RunView } from '../../../domain/model/run';
import { limitedAreas } from '../../../domain/tester/limitedAreas';
import { isTesterCause } from '../../../domain/failure/attribution';
import type { TesterLimitedInterval } from '../../charts/scene';

/** Shown beside every figure limited by a tester, not by the server. */
export const testerLimitedLabel = 'tester-limited';

type Limited = Pick<RunView, 'testerLimits' | 'state'>;

/** The hatched areas of the charts. */
export function testerLimitedIntervals(run: Pick<RunView, 'testerLimits'>): readonly TesterLimitedInterval[] {
  return limitedAreas(run).map((area) => ({ ...area, label: testerLimitedLabel }));
}

/** Whether displayed figures are limited by a tester: now while the run is active, at any time once it has ended. */
export function isTesterLimited({ testerLimits = [], state }: Limited): boolean {
  return testerLimits.some(({ toMs }) => state === 'ended' || toMs === undefined);
}

/** The relevant limits of a node: active ones, or all once the run has ended. */
export function limitsOf(run: Limited | undefined, node: string): NonNullable<RunView['testerLimits']> {
  const mine = (run?.testerLimits ?? []).filter((limit) => limit.node === node);
  return run?.state === 'ended' ? mine : mine.filter(({ toMs }) => toMs === undefined);
}

/** A failure caused by its tester, not by the server. */
export function isTesterFailure({ cause }: Pick<FailureGroup, 'cause'>): boolean {
  return isTesterCause(cause);
}

/** Viewers that failed because their tester was exhausted. */
export function testerFailures(groups: readonly FailureGroup[]): number {
  return groups.filter(isTesterFailure).reduce((sum, { count }) => sum + count, 0);
}
