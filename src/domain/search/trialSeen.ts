import type { NodeView } from '../node';
import type { Plan } from '../plan';
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
  readonly failures: readonly FailureGroup[];
}

/** Nodes of the run by their part in the audience that is searched with. */
export function originOf({ plan, nodes }: Pick<TrialSeen, 'plan' | 'nodes'>): NodeView | undefined {
  return nodes.find(
    ({ role, id, name }) => role === 'origin' && (name === plan.pull.from || id === plan.pull.from),
  );
}

export function testersOf({ plan, nodes }: Pick<TrialSeen, 'plan' | 'nodes'>): readonly NodeView[] {
  const names = new Set([plan.pull, ...(plan.also ?? [])].flatMap(({ by }) => by));
  return nodes.filter(({ role, id, name }) => role === 'tester' && (names.has(name) || names.has(id)));
}

/** Figures of a host, which may have been sampled under the name of another node on it. */
export function hostValuesOf(
  { nodes, values }: Pick<TrialSeen, 'nodes' | 'values'>,
  node: NodeView,
  series: SeriesId,
): Values {
  const own = values(node.id, series);
  if (own.timeMs.length > 0) return own;
  const others = nodes.filter((other) => other.host === node.host && other.id !== node.id);
  return others.map(({ id }) => values(id, series)).find(({ timeMs }) => timeMs.length > 0) ?? own;
}

export function meanOf({ value }: Values): number | undefined {
  return value.length > 0 ? value.reduce((sum, each) => sum + each, 0) / value.length : undefined;
}

/** The samples after one moment and up to another. */
export function between({ timeMs, value }: Values, fromMs: number, toMs: number): Values {
  const isWithin = timeMs.map((each) => each >= fromMs && each <= toMs);
  return { timeMs: timeMs.filter((_, i) => isWithin[i]), value: value.filter((_, i) => isWithin[i]) };
}
