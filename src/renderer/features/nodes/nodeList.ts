import type { NodeView } from '../../../domain/model/node';
import type { Column } from '../../charts/column';
import { sortedBy } from '../../ui/table';
import type { RowFigures } from './rowFigures';
import { addressOf, linkText, roleText, softwareText, stateText, type NodeTrouble } from '../../parts/nodes/rowText';

/** Columns that the list of nodes can be sorted by. */
export type NodeSortKey = 'node' | 'address' | 'role' | 'server' | 'cpu' | 'memory' | 'gc' | 'clock' | 'state';

/** Absent: in the order of adding. */
export interface NodeSort {
  readonly by: NodeSortKey;
  readonly isDescending: boolean;
}

const numbers: ReadonlySet<NodeSortKey> = new Set(['cpu', 'memory', 'gc', 'clock']);

/** The order after a click on a column title: text ascending, numbers descending, then the reverse, then none. */
export function nextSort(current: NodeSort | undefined, by: NodeSortKey): NodeSort | undefined {
  const isFirstDescending = numbers.has(by);
  if (current?.by !== by) return { by, isDescending: isFirstDescending };
  return current.isDescending === isFirstDescending ? { by, isDescending: !isFirstDescending } : undefined;
}

/** Problems first. */
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

export type NodeColumn = NodeSortKey | 'links' | 'can' | 'actions';

/** A row of the list of nodes. */
export interface NodeRow extends ListedNode {
  readonly cpu: { readonly column?: Column; readonly factor: number; readonly fromMs: number; readonly toMs: number };
  /** Shown as a sentence instead of the columns that it concerns. */
  readonly trouble: NodeTrouble | undefined;
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

/** Sorted rows; missing values are last in both directions. */
export function sortedNodes<Row extends ListedNode>(rows: readonly Row[], sort: NodeSort | undefined): readonly Row[] {
  return sort ? sortedBy(rows, (row) => valueOf(row, sort.by), sort.isDescending) : rows;
}

/** Nodes that contain each word of the filter in name, address, role, server, links, state or problem. */
export function matchingNodes(nodes: readonly NodeView[], filter: string, nowMs: number): readonly NodeView[] {
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
