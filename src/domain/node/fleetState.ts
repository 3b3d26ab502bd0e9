import { naturalOrder } from '../text/naturalOrder';
import type { NodeView } from '../model/node';

/** What a watched fleet shows at a glance: which nodes need attention, in which order, and the figures that matter. */

/** Worst first: `lost` does not respond or could not be reached, `busy` is near the limit of its CPU. */
export const troubles = ['lost', 'warning', 'busy', 'none', 'idle'] as const;
export type Trouble = (typeof troubles)[number];

/** A node's current figures; absent ones are not measured, or not measured now. */
export interface NodeFigures {
  readonly cpuPercent?: number | undefined;
  readonly memoryBytes?: number | undefined;
  /** Of its machine, where another node on it knows; absent: what the node knows. */
  readonly memoryTotalBytes?: number | undefined;
  readonly outMbps?: number | undefined;
  readonly viewers?: number | undefined;
}

export interface NodeReading extends NodeFigures {
  readonly node: NodeView;
  readonly trouble: Trouble;
  /** Of the memory of its host; absent if its size is unknown. */
  readonly memoryPercent?: number | undefined;
}

/** CPU from which on a node is busy, and below which it no longer is, so that it does not change back and forth. */
const busyFrom = 85;
const busyUntil = 75;

function troubleOf(node: NodeView, cpuPercent: number | undefined, before: Trouble | undefined): Trouble {
  if (node.state === 'failed' || node.state === 'stale') return 'lost';
  if (node.state === 'idle' || node.state === 'starting') return 'idle';
  const isPartlyLost = node.group !== undefined && node.group.ready < node.group.size;
  const hasLostLink = node.links?.some(({ state }) => state === 'lost') ?? false;
  if (node.problem !== undefined || node.isSlow === true || isPartlyLost || hasLostLink) return 'warning';
  return (cpuPercent ?? 0) >= (before === 'busy' ? busyUntil : busyFrom) ? 'busy' : 'none';
}

/** `before`: the trouble of the previous reading. */
export function readingOf(node: NodeView, figures: NodeFigures, before: Trouble | undefined): NodeReading {
  const { memoryBytes, cpuPercent, memoryTotalBytes: all = node.machine?.memoryBytes } = figures;
  return {
    ...figures,
    node,
    trouble: troubleOf(node, cpuPercent, before),
    memoryPercent: memoryBytes === undefined || !all ? undefined : Math.min(100, (100 * memoryBytes) / all),
  };
}

/** Worst first, then by name: figures that change move no node. */
export function byTrouble(readings: readonly NodeReading[]): readonly NodeReading[] {
  const rank = ({ trouble }: NodeReading): number => troubles.indexOf(trouble);
  return [...readings].sort((a, b) => rank(a) - rank(b) || naturalOrder(a.node.name, b.node.name));
}

export const groupings = ['none', 'name', 'role', 'family'] as const;
/** `name`: by what is before the first dash. */
export type Grouping = (typeof groupings)[number];

export interface ReadingGroup {
  readonly name: string;
  /** In the order of `byTrouble`. */
  readonly readings: readonly NodeReading[];
  readonly counts: Readonly<Record<Trouble, number>>;
}

function groupName({ node }: NodeReading, by: Grouping): string {
  if (by === 'role') return node.role;
  if (by === 'family') return node.server ?? node.role;
  return by === 'name' ? (node.name.split('-', 1)[0] ?? node.name) : '';
}

/** The groups of a fleet by name, those with the worst trouble first. */
export function groupsOf(readings: readonly NodeReading[], by: Grouping): readonly ReadingGroup[] {
  const groups = new Map<string, NodeReading[]>();
  // The order of the groups is that of their first nodes.
  for (const reading of byTrouble(readings)) {
    const name = groupName(reading, by);
    const known = groups.get(name);
    if (known) known.push(reading);
    else groups.set(name, [reading]);
  }
  const worst = (group: ReadingGroup): number => troubles.findIndex((trouble) => group.counts[trouble] > 0);
  return [...groups]
    .map(([name, of]) => ({ name, readings: of, counts: countsOf(of) }))
    .sort((a, b) => worst(a) - worst(b) || naturalOrder(a.name, b.name));
}

function countsOf(readings: readonly NodeReading[]): Record<Trouble, number> {
  const counts = { lost: 0, warning: 0, busy: 0, none: 0, idle: 0 };
  for (const { trouble } of readings) counts[trouble] += 1;
  return counts;
}

/** A node with the highest value of a figure. */
export interface Worst {
  readonly node: string;
  readonly value: number;
}

/** The fleet in a few figures. A figure that no node reports is absent. */
export interface FleetSummary {
  readonly nodes: number;
  readonly up: number;
  readonly counts: Readonly<Record<Trouble, number>>;
  readonly streams: number;
  readonly viewers?: number | undefined;
  readonly cpu?: Worst | undefined;
  /** In % of the memory of its host. */
  readonly memory?: Worst | undefined;
}

export function summaryOf(readings: readonly NodeReading[]): FleetSummary {
  const counts = countsOf(readings);
  const viewers = readings.flatMap(({ viewers: of }) => of ?? []);
  return {
    nodes: readings.length,
    up: readings.length - counts.lost - counts.idle,
    counts,
    streams: readings.reduce((sum, { node }) => sum + (node.streamCount ?? node.streams.length), 0),
    viewers: viewers.length === 0 ? undefined : viewers.reduce((sum, of) => sum + of, 0),
    cpu: worstOf(readings, ({ cpuPercent }) => cpuPercent),
    memory: worstOf(readings, ({ memoryPercent }) => memoryPercent),
  };
}

function worstOf(
  readings: readonly NodeReading[],
  of: (reading: NodeReading) => number | undefined,
): Worst | undefined {
  let worst: Worst | undefined;
  for (const reading of readings) {
    const value = of(reading);
    if (value !== undefined && value > (worst?.value ?? -Infinity)) worst = { node: reading.node.name, value };
  }
  return worst;
}
