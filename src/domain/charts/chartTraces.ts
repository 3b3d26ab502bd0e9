import type { NodeOwner, SeriesRef, TraceSpec } from './chartSpec';
import { hostName, unknownHost } from '../model/host';
import type { NodeView } from '../model/node';
import { percentileSeriesOf } from '../series/distributions';
import type { SeriesId } from '../series/series';

/** Which samples make which line of a chart, per node. `charts.ts` combines them. */

const gibibyte = 2 ** 30;
const mebibyte = 2 ** 20;

type Nodes = readonly NodeView[];
/** What a line is about: a node, or one of several audiences. */
export type LineSubject = Pick<NodeView, 'id' | 'name' | 'colourSlot'>;
/** Ids of nodes that are neither origin nor tester of the run. */
type Observed = ReadonlySet<string>;

function ofNode(node: LineSubject, series: readonly SeriesId[], over: Partial<TraceSpec> = {}): TraceSpec {
  return {
    key: node.id,
    label: node.name,
    owner: ownerOf(node),
    look: 'line',
    inputs: series.map((id) => ({ node: node.id, series: id })),
    combine: 'firstMeasured',
    factor: 1,
    onlyWhenMeasured: false,
    showFigure: true,
    extreme: 'highest',
    ...over,
  };
}

function ownerOf(node: LineSubject): NodeOwner {
  return { kind: 'node', node: node.id, colourSlot: node.colourSlot };
}

const testers = (nodes: Nodes): Nodes => nodes.filter((node) => node.role === 'tester');
const origins = (nodes: Nodes): Nodes => nodes.filter((node) => node.role === 'origin');
const everyTesters = (nodes: Nodes, series: SeriesId): readonly SeriesRef[] =>
  testers(nodes).map((node) => ({ node: node.id, series }));

/** A machine with its nodes: its figures are drawn once, however many nodes it runs. */
interface Machine {
  readonly nodes: Nodes;
  /** Colour of its line: the origin's if it runs one. */
  readonly lead: NodeView;
  /** Name of its line: the node's name if it is the only one. */
  readonly name: string;
}

/** The machines of some nodes, in the nodes' order. */
function machinesOf(nodes: Nodes): readonly Machine[] {
  const byHost = new Map<string, NodeView[]>();
  for (const node of nodes) {
    const host = node.host === unknownHost ? `node ${node.id}` : node.host;
    const known = byHost.get(host);
    if (known) known.push(node);
    else byHost.set(host, [node]);
  }
  return [...byHost.values()].flatMap((all) => {
    // Before the lab is started, the machine's load is not the lab's.
    const lead =
      all.find(({ role, state }) => role === 'origin' && state !== 'idle') ??
      all.find(({ role }) => role === 'tester') ??
      all[0];
    return lead ? [{ nodes: all, lead, name: all.length > 1 ? hostName(lead.host) : lead.name }] : [];
  });
}

/** A line per machine. Its figures may be sampled under the name of any of its nodes. */
function ofMachines(nodes: Nodes, series: SeriesId, over: Partial<TraceSpec> = {}): readonly TraceSpec[] {
  return machinesOf(nodes).map(({ nodes: on, lead, name }) => {
    const others = on.filter(({ id }) => id !== lead.id);
    if (others.length === 0) return ofNode(lead, [series], over);
    return {
      ...ofNode(lead, [series], over),
      label: name,
      owner: { ...ownerOf(lead), alsoOf: others.map(({ id }) => id) },
      inputs: [lead, ...others].map(({ id }) => ({ node: id, series })),
    };
  });
}

/** A line per node whose process is measured. */
function ofProcesses(nodes: Nodes, series: SeriesId, over: Partial<TraceSpec> = {}): readonly TraceSpec[] {
  return nodes.map((node) => ofNode(node, [series], { onlyWhenMeasured: true, ...over }));
}

/** The machine with the fewest cores, preferring one with an origin: the first to be saturated. */
export function fewestCores(nodes: Nodes): { name: string; cores: number } | undefined {
  const machines = machinesOf(nodes);
  const ofOrigin = machines.filter(({ lead }) => lead.role === 'origin');
  const others = machines.filter(({ lead }) => lead.role !== 'origin');
  const known = [...ofOrigin, ...others].flatMap(({ nodes: on, name }) => {
    const cores = on.find(({ machine }) => machine)?.machine?.cores;
    return cores === undefined ? [] : [{ name, cores }];
  });
  return known.reduce<{ name: string; cores: number } | undefined>(
    (fewest, each) => (fewest && fewest.cores <= each.cores ? fewest : each),
    undefined,
  );
}

/**
 * Testers or audiences stacked, the origin's own count above them, and the target viewers over time. The count of an
 * observed origin is not part of this audience.
 */
export function viewers(context: Viewers): readonly TraceSpec[] {
  const { nodes, observed } = context;
  return [
    ...ofViewers(context, 'viewersConnected', { look: 'stack' }),
    ...origins(nodes)
      .filter(({ id }) => !observed?.has(id))
      .map((node) => ofNode(node, ['originViewers'], { onlyWhenMeasured: true })),
    {
      key: 'asked',
      label: 'asked',
      owner: { kind: 'neutral' },
      look: 'asked',
      inputs: everyTesters(nodes, 'viewersRequested'),
      combine: 'sum',
      factor: 1,
      onlyWhenMeasured: true,
      showFigure: false,
      extreme: 'highest',
    },
  ];
}

export function degraded(nodes: Nodes): TraceSpec {
  return {
    key: 'degraded',
    label: 'degraded',
    owner: { kind: 'degraded' },
    look: 'area',
    inputs: everyTesters(nodes, 'viewersDegraded'),
    combine: 'sum',
    factor: 1,
    onlyWhenMeasured: false,
    showFigure: true,
    extreme: 'highest',
  };
}

/** CPU of the machines, in percent of all their cores. */
export function cpu(nodes: Nodes): readonly TraceSpec[] {
  return ofMachines(nodes, 'cpuPercent');
}

/** CPU of the nodes' own processes, in percent of one core. */
export function processCpu(nodes: Nodes): readonly TraceSpec[] {
  return ofProcesses(nodes, 'processCpuPercent');
}

/** Memory of the machines, in GiB. */
export function memory(nodes: Nodes): readonly TraceSpec[] {
  return ofMachines(nodes, 'memoryUsedBytes', { factor: 1 / gibibyte });
}

/** Memory of the nodes' own processes, in MiB: most are far below one GiB. */
export function processMemory(nodes: Nodes): readonly TraceSpec[] {
  return ofProcesses(nodes, 'processMemoryBytes', { factor: 1 / mebibyte });
}

export function load(nodes: Nodes): readonly TraceSpec[] {
  return ofMachines(nodes, 'load1');
}

/** What an origin sends, by its own count if it has one, and what each tester's viewers receive. */
export function bandwidth(nodes: Nodes, observed: Observed): readonly TraceSpec[] {
  return nodes.map((node) =>
    node.role === 'origin'
      ? ofNode(node, ['originOutMbps', 'networkOutMbps'], { onlyWhenMeasured: true })
      : ofNode(node, ['mediaInMbps'], { onlyWhenMeasured: observed.has(node.id) }),
  );
}

/** Only nodes with a garbage collector to measure. */
export function gcPause(nodes: Nodes): readonly TraceSpec[] {
  return nodes.map((node) =>
    ofNode(node, ['gcPauseMs'], {
      look: 'noisy',
      zeroWhere: { node: node.id, series: 'processCpuPercent' },
      onlyWhenMeasured: true,
    }),
  );
}

/** Whose viewers lines are about. */
export interface Viewers {
  readonly nodes: Nodes;
  readonly observed?: Observed;
  /** The audiences of a run with several. */
  readonly audiences?: readonly LineSubject[];
  /** Id of the only audience, if it has percentiles over all of its testers. */
  readonly together?: string | undefined;
}

/**
 * A line per audience if there are several, else per tester, and of percentiles one over all testers. A tester that is only observed has no audience, unless a
 * pull added later gave it one.
 */
export function ofViewers(
  { nodes, observed, audiences = [], together }: Viewers,
  series: SeriesId,
  over: Partial<TraceSpec>,
): readonly TraceSpec[] {
  if (audiences.length > 0)
    return audiences.map((audience) => ofNode(audience, [series], { onlyWhenMeasured: true, ...over }));
  const each = testers(nodes).map((node) =>
    ofNode(node, [series], { onlyWhenMeasured: observed?.has(node.id) ?? false, ...over }),
  );
  if (together === undefined || !percentileSeriesOf(series)) return each;
  const all: TraceSpec = {
    ...ofNode({ id: together, name: 'all', colourSlot: 0 }, [series], { onlyWhenMeasured: true, ...over }),
    key: 'all',
    owner: { kind: 'neutral' },
    showLabel: true,
  };
  return [all, ...each];
}

/**
 * The median per tester or audience, and the 95th percentile over all testers; in runs that have none, that of the worst
 * tester.
 */
export function connect(context: Viewers): readonly TraceSpec[] {
  const { nodes, together, audiences = [] } = context;
  const over = together === undefined ? audiences.map(({ id }) => id) : [together];
  const series = 'connectP95Ms';
  return [
    ...ofViewers(context, 'connectP50Ms', { look: 'noisy' }),
    {
      key: 'p95',
      label: 'p95',
      owner: { kind: 'neutral' },
      look: 'dots',
      inputs: over.length > 0 ? over.map((node) => ({ node, series })) : everyTesters(nodes, series),
      combine: 'highest',
      factor: 1,
      onlyWhenMeasured: true,
      showFigure: true,
      extreme: 'highest',
    },
  ];
}
