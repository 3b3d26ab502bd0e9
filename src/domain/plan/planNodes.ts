import type { NodeView } from '../model/node';
import type { PlanNode } from '../model/plan';
import { nodeNamePattern } from './planNames';

/** The name of a node in a plan, and so in a run: its own, if it is valid in a plan. */
export function planNodeName(node: NodeView): string {
  return nodeNamePattern.test(node.name) ? node.name : node.id;
}

/** A node in a plan. The lab and the tester of this machine have no settings. */
export function settingsOf(node: NodeView): PlanNode {
  if (node.settings) return node.settings;
  return node.role === 'origin' ? { server: node.server ?? 'lab' } : { tester: 'local' };
}
