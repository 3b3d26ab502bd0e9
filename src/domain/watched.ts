import type { NodeView } from './node';
import type { Plan } from './plan/plan';
import type { RunView } from './run';
import { audiencesOf } from './shares';

type Work = Pick<Plan, 'pull' | 'also' | 'publish'>;

/**
 * What a node does in a run: it is pulled from, it pulls, it only publishes or is published to, or it is only watched. Its kind, an origin or a
 * tester of the fleet, says what it could do.
 */
export type RoleInRun = 'origin' | 'tester' | 'publisher' | 'watched';

/** The role of a plan's node, by the plan's name of it. */
export function roleOfName({ pull, also, publish }: Work, name: string): RoleInRun {
  const audiences = audiencesOf({ pull, also });
  if (audiences.some(({ from }) => from === name)) return 'origin';
  if (audiences.some(({ by }) => by.includes(name))) return 'tester';
  return publish.some(({ node, by }) => node === name || by === name) ? 'publisher' : 'watched';
}

const order: readonly RoleInRun[] = ['origin', 'tester', 'publisher', 'watched'];

/** The role of a node in a run: in the list of runs, in comparisons, in verdicts, in reports and in the window. */
export function roleInRun(plan: Work, { id, name }: Pick<NodeView, 'id' | 'name'>): RoleInRun {
  const roles = [roleOfName(plan, id), roleOfName(plan, name)];
  return order.find((role) => roles.includes(role)) ?? 'watched';
}

/** The nodes of a run that have a role in it, in their order. An imported run has no plan: its nodes have the roles that were given to them. */
export function nodesInRole(
  { plan, nodes, imported }: Pick<RunView, 'plan' | 'nodes' | 'imported'>,
  role: 'origin' | 'tester',
): readonly NodeView[] {
  return nodes.filter(
    (node) => node.role === role && (imported !== undefined || roleInRun(plan, node) === role),
  );
}

/** Ids of the nodes of a run that it only watches: it neither pulls from them, nor by them, nor publishes to them. */
export function watchedOnly(plan: Work, nodes: readonly NodeView[]): ReadonlySet<string> {
  return new Set(nodes.filter((node) => roleInRun(plan, node) === 'watched').map(({ id }) => id));
}
