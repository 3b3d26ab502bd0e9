import type { NodeView } from '../node';
import type { PlanNode } from './plan';

/** What a plan, and so a run, calls a node: its name, where that can be a plan's name. */
export function planNodeName(node: NodeView): string {
  return /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/.test(node.name) ? node.name : node.id;
}

/** How a plan describes a node. The lab and the tester of this machine have no settings of their own. */
export function settingsOf(node: NodeView): PlanNode {
  if (node.settings) return node.settings;
  return node.role === 'origin' ? { server: node.server ?? 'lab' } : { tester: 'local' };
}
