import type { Plan } from '../../domain/model/plan';
import { neededNodes, unreachable } from '../../domain/node/unreachable';
import { FullhouseError } from '../../contract/calls';
import type { FleetNode } from '../fleet/node';

/**
 * Throws one sentence when a required node is known not to respond: such a run would only leave a file without viewers.
 */
export function refuseUnreachable(plan: Plan, nodes: ReadonlyMap<string, FleetNode>): void {
  for (const { name } of neededNodes(plan)) {
    const node = nodes.get(name);
    const why = node && unreachable(node.view());
    if (why !== undefined) throw new FullhouseError('node-unreachable', why);
  }
}
