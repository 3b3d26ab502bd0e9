import { nodesInRole } from '../node/observedNodes';
import type { NodeView } from '../model/node';
import type { HostBaseline, OtherLoad } from '../model/otherLoad';
import type { Plan } from '../model/plan';
import { firstOrigin, type PublisherProblem } from '../model/publisherGroup';
import type { FailureGroup, TesterLimit } from '../model/run';
import type { SeriesId } from '../series/series';
import type { Values } from '../series/windows';

/** The data for judging a trial. */
export interface TrialInput {
  readonly plan: Plan;
  /** Nodes of the run, by the plan's names or by their ids. */
  readonly nodes: readonly NodeView[];
  /** Target size of the audience. */
  readonly viewers: number;
  /** The measured interval, Unix ms. */
  readonly fromMs: number;
  readonly toMs: number;
  /** When the run's first viewer was due, for thresholds with a grace period. */
  readonly startedMs: number;
  /** The samples of a node and series in the interval; empty if nothing was measured. */
  readonly values: (node: string, series: SeriesId) => Values;
  readonly testerLimits: readonly TesterLimit[];
  /** CPU use by other programs on the hosts. */
  readonly baseline?: readonly HostBaseline[];
  readonly otherLoad?: readonly OtherLoad[];
  readonly failures: readonly FailureGroup[];
  /** Why publishers of this size failed, where publishers alone are the load. */
  readonly problems?: readonly PublisherProblem[];
  /** Why publishers of this size could not be ordered from their tester. */
  readonly orderFault?: string;
}

/** Nodes of the run by their role in the searching audience. */
export function originOf({ plan, nodes }: Pick<TrialInput, 'plan' | 'nodes'>): NodeView | undefined {
  const from = firstOrigin(plan);
  return nodes.find(({ role, id, name }) => role === 'origin' && (name === from || id === from));
}

export function testersOf({ plan, nodes }: Pick<TrialInput, 'plan' | 'nodes'>): readonly NodeView[] {
  return nodesInRole({ plan, nodes }, 'tester');
}

export function meanOf({ value }: Values): number | undefined {
  return value.length > 0 ? value.reduce((sum, reading) => sum + reading, 0) / value.length : undefined;
}
