import type { NodeView } from '../model/node';
import type { Plan } from '../model/plan';
import type { RunView } from '../model/run';
import { isWithoutLoad } from '../model/withoutLoad';
import { audiencesOf } from '../model/distribution';
import { publisherGroups } from '../model/publisherGroup';

type Work = Pick<Plan, 'pull' | 'also' | 'publish'>;

/**
 * The role of a node in a run: source or tester of a pull (or of publishers alone), only publishing or published to, or
 * only observed. Its kind,
 * an origin or a tester of the fleet, defines what it could do.
 */
export type RoleInRun = 'origin' | 'tester' | 'publisher' | 'observed';

/** The role of a plan's node, by its name in the plan. */
export function roleOfName({ pull, also, publish }: Work, name: string): RoleInRun {
  const audiences = audiencesOf({ pull, also });
  if (audiences.some(({ from }) => from === name)) return 'origin';
  if (audiences.some(({ by }) => by.includes(name))) return 'tester';
  const groups = publisherGroups({ pull, also, publish });
  if (groups.some(({ publication }) => publication.node === name)) return 'origin';
  if (groups.some(({ by }) => by === name)) return 'tester';
  return publish.some(({ node, by }) => node === name || by === name) ? 'publisher' : 'observed';
}

const order: readonly RoleInRun[] = ['origin', 'tester', 'publisher', 'observed'];

/** The role of a node in a run: for the list of runs, comparisons, verdicts, reports and the window. */
export function roleInRun(plan: Work, { id, name }: Pick<NodeView, 'id' | 'name'>): RoleInRun {
  const roles = [roleOfName(plan, id), roleOfName(plan, name)];
  return order.find((role) => roles.includes(role)) ?? 'observed';
}

/** The nodes of a run with a role, in their order. A run without load has no plan: its nodes have their assigned roles. */
export function nodesInRole(
  run: Pick<RunView, 'plan' | 'nodes' | 'imported' | 'watched'>,
  role: 'origin' | 'tester',
): readonly NodeView[] {
  const { plan, nodes } = run;
  return nodes.filter((node) => node.role === role && (isWithoutLoad(run) || roleInRun(plan, node) === role));
}

/** Ids of the nodes that a run only observes: it does not pull from them, pull with them or publish to them. */
export function observedOnly(plan: Work, nodes: readonly NodeView[]): ReadonlySet<string> {
  return new Set(nodes.filter((node) => roleInRun(plan, node) === 'observed').map(({ id }) => id));
}
