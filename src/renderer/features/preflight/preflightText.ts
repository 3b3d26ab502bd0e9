import type { NodeView } from '../../../domain/model/node';
import { planNodeName } from '../../../domain/plan/planNodes';
import type { PreflightNode } from '../../../domain/preflight/progress';
import { counted } from '../../ui/format/numbers';

/** The node for a name in the plan. */
export function nodeOfPlan(name: string, nodes: readonly NodeView[]): NodeView | undefined {
  return nodes.find((node) => planNodeName(node) === name) ?? nodes.find(({ id }) => id === name);
}

/** Status of a node without findings yet. */
export function progressText({ state, rules }: PreflightNode): string {
  return state === 'waiting' ? 'waiting' : `reading data for ${counted(rules, 'rule')}`;
}

/** Target row of a key in a list; undefined for other keys. Without a current row, the first one. */
export function stepFrom(key: string, place: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return Math.min(count - 1, place + 1);
  if (key === 'ArrowUp') return Math.max(0, place - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}
