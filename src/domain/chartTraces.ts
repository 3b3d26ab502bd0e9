import type { NodeOwner, SeriesRef, TraceSpec } from './chartSpec';
import { hostName, unknownHost } from './host';
import type { NodeView } from './node';
import type { SeriesId } from './series';

/** Which samples make which line of a chart, node by node. `charts.ts` puts them together. */

const gibibyte = 2 ** 30;
const mebibyte = 2 ** 20;

type Nodes = readonly NodeView[];
/** Ids of nodes that the run neither pulls from nor by. */
type Watched = ReadonlySet<string>;

function ofNode(node: NodeView, series: readonly SeriesId[], over: Partial<TraceSpec> = {}): TraceSpec {
  return {
    key: node.id,
    label: node.name,
    owner: ownerOf(node),
    look: 'line',
    inputs: series.map((each) => ({ node: node.id, series: each })),
    combine: 'firstMeasured',
    factor: 1,
    onlyWhenMeasured: false,
    showFigure: true,
    extreme: 'highest',
    ...over,
  };
}

function ownerOf(node: NodeView): NodeOwner {
  return { kind: 'node', node: node.id, colourSlot: node.colourSlot };
}

const testers = (nodes: Nodes): Nodes => nodes.filter((node) => node.role === 'tester');
const origins = (nodes: Nodes): Nodes => nodes.filter((node) => node.role === 'origin');
const everyTesters = (nodes: Nodes, series: SeriesId): readonly SeriesRef[] =>
  testers(nodes).map((node) => ({ node: node.id, series }));

/** A machine with the nodes that run on it: its own figures are drawn once, whatever the number of nodes. */
interface Machine {
  readonly nodes: Nodes;
  /** Whose colour its line has: the origin's where one runs. */
  readonly lead: NodeView;
  /** Of its line: the node's name where it is the only one there. */
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
    // What the machine does before the lab is started is not the lab's.
    const lead =
      all.find(({ role, state }) => role === 'origin' && state !== 'idle') ??
      all.find(({ role }) => role === 'tester') ??
      all[0];
    return lead ? [{ nodes: all, lead, name: all.length > 1 ? hostName(lead.host) : lead.name }] : [];
  });
}

/** A line per machine. Its figures may have been sampled under the name of any node on it. */
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

/** A line per node whose own process is measured. */
function ofProcesses(nodes: Nodes, series: SeriesId, over: Partial<TraceSpec> = {}): readonly TraceSpec[] {
  return nodes.map((node) => ofNode(node, [series], { onlyWhenMeasured: true, ...over }));
}

/** The machine with the fewest cores, one with an origin first: the first to be outrun by its load. */
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
 * Testers stacked, the origin's own count over them, and how many the plan wanted at each moment. What a watched origin
 * counts is no part of this audience.
 */
export function viewers(nodes: Nodes, watched: Watched): readonly TraceSpec[] {
  return [
    ...perTester(nodes, watched, 'viewersConnected', { look: 'stack' }),
    ...origins(nodes)
      .filter(({ id }) => !watched.has(id))
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

/** Of whole machines, in percent of all their cores. */
export function cpu(nodes: Nodes): readonly TraceSpec[] {
  return ofMachines(nodes, 'cpuPercent');
}

/** Of the nodes' own processes, in percent of one core. */
export function processCpu(nodes: Nodes): readonly TraceSpec[] {
  return ofProcesses(nodes, 'processCpuPercent');
}

/** Of whole machines, in GiB. */
export function memory(nodes: Nodes): readonly TraceSpec[] {
  return ofMachines(nodes, 'memoryUsedBytes', { factor: 1 / gibibyte });
}

/** Of the nodes' own processes, in MiB: most of them are far below one GiB. */
export function processMemory(nodes: Nodes): readonly TraceSpec[] {
  return ofProcesses(nodes, 'processMemoryBytes', { factor: 1 / mebibyte });
}

export function load(nodes: Nodes): readonly TraceSpec[] {
  return ofMachines(nodes, 'load1');
}

/** What an origin sends, by its own count where it has one, and what each tester's viewers receive. */
export function bandwidth(nodes: Nodes, watched: Watched): readonly TraceSpec[] {
  return nodes.map((node) =>
    node.role === 'origin'
      ? ofNode(node, ['originOutMbps', 'networkOutMbps'], { onlyWhenMeasured: true })
      : ofNode(node, ['mediaInMbps'], { onlyWhenMeasured: watched.has(node.id) }),
  );
}

/** Only nodes that have a garbage collector to measure. */
export function gcPause(nodes: Nodes): readonly TraceSpec[] {
  return nodes.map((node) =>
    ofNode(node, ['gcPauseMs'], {
      look: 'noisy',
      zeroWhere: { node: node.id, series: 'processCpuPercent' },
      onlyWhenMeasured: true,
    }),
  );
}

/** A tester that is only watched has no audience, unless a pull that was added later gave it one. */
export function perTester(
  nodes: Nodes,
  watched: Watched,
  series: SeriesId,
  over: Partial<TraceSpec>,
): readonly TraceSpec[] {
  return testers(nodes).map((node) =>
    ofNode(node, [series], { onlyWhenMeasured: watched.has(node.id), ...over }),
  );
}

/** The median per tester; the 95th percentile, the worst tester's, belongs to no node. */
export function connect(nodes: Nodes, watched: Watched): readonly TraceSpec[] {
  return [
    ...perTester(nodes, watched, 'connectP50Ms', { look: 'noisy' }),
    {
      key: 'p95',
      label: 'p95',
      owner: { kind: 'neutral' },
      look: 'dots',
      inputs: everyTesters(nodes, 'connectP95Ms'),
      combine: 'highest',
      factor: 1,
      onlyWhenMeasured: true,
      showFigure: true,
      extreme: 'highest',
    },
  ];
}
