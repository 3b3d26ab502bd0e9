import { nodesInRole } from '../watched';
import type { NodeView } from '../node';
import type { HostBaseline, OtherLoad } from '../otherLoad/otherLoad';
import type { Plan } from '../plan/plan';
import type { FailureGroup, TesterLimit } from '../run';
import type { SeriesId } from '../series';
import type { Values } from '../windows';

/** What a trial is judged by. */
export interface TrialSeen {
  readonly plan: Plan;
  /** Of the run, by the plan's names or by their ids. */
  readonly nodes: readonly NodeView[];
  /** Size of the audience that was wanted. */
  readonly viewers: number;
  /** What was watched, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** When the run's first viewer was asked to come, for thresholds with a grace time. */
  readonly startedMs: number;
  /** The samples of a node and series between the two; empty where nothing was measured. */
  readonly values: (node: string, series: SeriesId) => Values;
  readonly testerLimits: readonly TesterLimit[];
  /** What is known of other programs on the hosts. */
  readonly baseline?: readonly HostBaseline[];
  readonly otherLoad?: readonly OtherLoad[];
  readonly failures: readonly FailureGroup[];
}

/** Nodes of the run by their part in the audience that is searched with. */
export function originOf({ plan, nodes }: Pick<TrialSeen, 'plan' | 'nodes'>): NodeView | undefined {
  return nodes.find(
    ({ role, id, name }) => role === 'origin' && (name === plan.pull.from || id === plan.pull.from),
  );
}

export function testersOf({ plan, nodes }: Pick<TrialSeen, 'plan' | 'nodes'>): readonly NodeView[] {
  return nodesInRole({ plan, nodes }, 'tester');
}

export function meanOf({ value }: Values): number | undefined {
  return value.length > 0 ? value.reduce((sum, each) => sum + each, 0) / value.length : undefined;
}
