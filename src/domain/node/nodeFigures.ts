import { sharingHost } from '../model/host';
import type { NodeView } from '../model/node';
import type { RunView } from '../model/run';
import type { SeriesId } from '../series/series';
import { roleInRun, type RoleInRun } from './observedNodes';

/**
 * The figures of one node over a complete run, the same in the window, in reports, in comparisons and on the command
 * line.
 */
export interface NodeFigures {
  readonly node: NodeView;
  readonly role: RoleInRun;
  /** Highest CPU of its machine, percent of all cores. */
  readonly cpuMaxPercent?: number;
  /** Highest CPU of its own process, percent of one core. */
  readonly processCpuMaxPercent?: number;
  /** Longest pause of its garbage collector. */
  readonly gcPauseMaxMs?: number;
}

/** The highest value of a node's series; undefined if nothing was measured. */
export type MaxOf = (node: string, series: SeriesId) => number | undefined;

/**
 * A figure of a node's machine, which may have been sampled under the name of another node on it: the first with
 * samples.
 */
export function ofMachine<T>(
  node: NodeView,
  nodes: readonly NodeView[],
  of: (node: string) => T | undefined,
): T | undefined {
  for (const { id } of [node, ...sharingHost(node, nodes)]) {
    const found = of(id);
    if (found !== undefined) return found;
  }
  return undefined;
}

export function nodeFigures({ plan, nodes }: Pick<RunView, 'plan' | 'nodes'>, max: MaxOf): readonly NodeFigures[] {
  return nodes.map((node) => {
    const cpuMaxPercent = ofMachine(node, nodes, (id) => max(id, 'cpuPercent'));
    const processCpuMaxPercent = max(node.id, 'processCpuPercent');
    const gcPauseMaxMs = max(node.id, 'gcPauseMs');
    return {
      node,
      role: roleInRun(plan, node),
      ...(cpuMaxPercent === undefined ? {} : { cpuMaxPercent }),
      ...(processCpuMaxPercent === undefined ? {} : { processCpuMaxPercent }),
      ...(gcPauseMaxMs === undefined ? {} : { gcPauseMaxMs }),
    };
  });
}

/** The largest of a figure over the nodes of one role. */
export function largest(
  all: readonly NodeFigures[],
  role: RoleInRun,
  of: (figures: NodeFigures) => number | undefined,
): number | undefined {
  const found = all.filter((node) => node.role === role).flatMap((node) => of(node) ?? []);
  return found.length > 0 ? Math.max(...found) : undefined;
}
