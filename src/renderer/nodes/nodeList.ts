import type { NodeView } from '../../domain/node';
import type { RowFigures } from './rowFigures';
import { addressOf, linkText, roleText, softwareText, stateText } from './rowText';

/** Columns that the list of nodes can be sorted by. */
export const nodeSortKeys = [
  'node',
  'address',
  'role',
  'server',
  'cpu',
  'memory',
  'gc',
  'clock',
  'state',
] as const;
export type NodeSortKey = (typeof nodeSortKeys)[number];

/** Absent: in the order of adding. */
export interface NodeSort {
  readonly by: NodeSortKey;
  readonly isDescending: boolean;
}

const numbers: ReadonlySet<NodeSortKey> = new Set(['cpu', 'memory', 'gc', 'clock']);

/** What a click on a column's title makes of the order: texts from A, numbers from the largest, then the reverse, then none. */
export function nextSort(current: NodeSort | undefined, by: NodeSortKey): NodeSort | undefined {
  const isFirstDescending = numbers.has(by);
  if (current?.by !== by) return { by, isDescending: isFirstDescending };
  return current.isDescending === isFirstDescending ? { by, isDescending: !isFirstDescending } : undefined;
}

/** Troubles first: who sorts by state looks for them. */
const stateRank: Readonly<Record<NodeView['state'], number>> = {
  failed: 0,
  stale: 1,
  starting: 2,
  live: 3,
  idle: 4,
};

export interface ListedNode {
  readonly node: NodeView;
  readonly figures: RowFigures;
}

function valueOf({ node, figures }: ListedNode, by: NodeSortKey): string | number | undefined {
  switch (by) {
    case 'node':
      return node.name;
    case 'address':
      return addressOf(node);
    case 'role':
      return roleText(node);
    case 'server':
      return node.software ?? node.server;
    case 'cpu':
      return figures.cpu.value;
    case 'memory':
      return figures.memory.value;
    case 'gc':
      return figures.gc?.value;
    case 'clock':
      return node.clock && Math.abs(node.clock.offsetMs);
    case 'state':
      return stateRank[node.state];
  }
}

const byName = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Rows in order; what is not measured stands at the end whichever way the rest is turned. */
export function sortedNodes<Row extends ListedNode>(
  rows: readonly Row[],
  sort: NodeSort | undefined,
): readonly Row[] {
  if (!sort) return rows;
  const sign = sort.isDescending ? -1 : 1;
  return [...rows].sort((a, b) => {
    const left = valueOf(a, sort.by);
    const right = valueOf(b, sort.by);
    if (left === undefined || right === undefined) return left === right ? 0 : left === undefined ? 1 : -1;
    return (
      sign *
      (typeof left === 'number' && typeof right === 'number'
        ? left - right
        : byName.compare(String(left), String(right)))
    );
  });
}

/** Nodes in which each word of the filter is found: in name, address, role, server, links, state, or what is wrong with it. */
export function matchingNodes(
  nodes: readonly NodeView[],
  filter: string,
  nowMs: number,
): readonly NodeView[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return nodes;
  return nodes.filter((node) => {
    const text = [
      node.name,
      addressOf(node),
      node.reach,
      roleText(node),
      softwareText(node),
      node.state,
      stateText(node, nowMs).text,
      node.problem ?? '',
      node.note ?? '',
      ...(node.links ?? []).map((link) => linkText(link).text),
    ]
      .join('\n')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
