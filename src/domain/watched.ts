import type { NodeView } from './node';
import type { Plan } from './plan/plan';
import { audiencesOf } from './shares';

/** The names of the plan's nodes that have something to do in it. Its other nodes are only watched. */
export function busyNames(plan: Pick<Plan, 'pull' | 'also' | 'publish'>): ReadonlySet<string> {
  return new Set([
    ...audiencesOf(plan).flatMap(({ from, by }) => [from, ...by]),
    ...plan.publish.flatMap(({ node, by }) => (by === undefined ? [node] : [node, by])),
  ]);
}

/** Ids of the nodes of a run that it only watches: it neither pulls from them nor by them. */
export function watchedOnly(
  plan: Pick<Plan, 'pull' | 'also' | 'publish'>,
  nodes: readonly NodeView[],
): ReadonlySet<string> {
  const busy = busyNames(plan);
  return new Set(nodes.filter(({ id, name }) => !busy.has(id) && !busy.has(name)).map(({ id }) => id));
}
