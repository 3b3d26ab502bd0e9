import type { NodeView } from '../../domain/node';
import { planNodeName } from '../../domain/plan/planNodes';
import type { PreflightNode } from '../../domain/preflight/look';
import { counted } from '../format/numbers';

/** The node that a plan calls so. */
export function nodeOfPlan(name: string, nodes: readonly NodeView[]): NodeView | undefined {
  return nodes.find((node) => planNodeName(node) === name) ?? nodes.find(({ id }) => id === name);
}

/** What is going on at a node of which nothing is known yet. */
export function progressText({ state, rules }: PreflightNode): string {
  return state === 'waiting'
    ? 'waiting'
    : `reading what ${counted(rules, 'rule')} ${rules === 1 ? 'needs' : 'need'}`;
}

/** Where a key leads in a list of rows; undefined for other keys. Before the first row, everything leads to it. */
export function stepFrom(key: string, place: number, count: number): number | undefined {
  if (count === 0) return undefined;
  if (key === 'ArrowDown') return Math.min(count - 1, place + 1);
  if (key === 'ArrowUp') return Math.max(0, place - 1);
  if (key === 'Home') return 0;
  if (key === 'End') return count - 1;
  return undefined;
}
