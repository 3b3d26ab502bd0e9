import { failureTitle, stageNames } from '../../../domain/failure/causes';
import { grouped } from '../../ui/format/numbers';
import { isTesterFailure, testerFailures } from './testerLimit';
import { failureStages, type FailureGroup, type FailureStage } from '../../../domain/model/run';

export interface StageCount {
  readonly stage: FailureStage;
  readonly count: number;
}

/** All stages in order, including those without failures. Tester failures belong to no stage. */
export function countsByStage(groups: readonly FailureGroup[]): readonly StageCount[] {
  return failureStages.map((stage) => ({
    stage,
    count: groups
      .filter((group) => group.stage === stage && !isTesterFailure(group))
      .reduce((sum, group) => sum + group.count, 0),
  }));
}

/** `ICE 3`, `packet 1`, preceded by `tester 5`, or `none`; most failures first. */
export function failureSummary(groups: readonly FailureGroup[]): readonly string[] {
  const counts = countsByStage(groups)
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
  const own = testerFailures(groups);
  const parts = [
    ...(own > 0 ? [`tester ${grouped(own)}`] : []),
    ...counts.map(({ stage, count }) => `${stageNames[stage]} ${grouped(count)}`),
  ];
  return parts.length > 0 ? parts : ['none'];
}

/** Most frequent first. */
export function byCount(groups: readonly FailureGroup[]): readonly FailureGroup[] {
  return [...groups].sort((a, b) => b.count - a.count);
}

/** As text, to paste into a report. */
export function failuresAsText(groups: readonly FailureGroup[]): string {
  return byCount(groups)
    .map(
      (group) =>
        `${group.count} x ${stageNames[group.stage]}${isTesterFailure(group) ? ', on the tester' : ''}: ${failureTitle(group)} (${group.cause}), on ${group.tester}${group.audience === undefined ? '' : `, ${group.audience}`}. ` +
        `For example viewer ${group.example.viewer} at ${new Date(group.example.timeMs).toISOString()}: ${group.example.detail}`,
    )
    .join('\n');
}
