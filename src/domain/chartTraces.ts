import type { SeriesRef, TraceSpec } from './chartSpec';
import type { NodeView } from './node';
import type { SeriesId } from './series';

/** Which samples make which line of a chart, node by node. `charts.ts` puts them together. */

const gibibyte = 2 ** 30;

type Nodes = readonly NodeView[];
/** Ids of nodes that the run neither pulls from nor by. */
type Watched = ReadonlySet<string>;

function ofNode(node: NodeView, series: readonly SeriesId[], over: Partial<TraceSpec> = {}): TraceSpec {
  return {
    key: node.id,
    label: node.name,
    owner: { kind: 'node', node: node.id, colourSlot: node.colourSlot },
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

const testers = (nodes: Nodes): Nodes => nodes.filter((node) => node.role === 'tester');
const origins = (nodes: Nodes): Nodes => nodes.filter((node) => node.role === 'origin');
const everyTesters = (nodes: Nodes, series: SeriesId): readonly SeriesRef[] =>
  testers(nodes).map((node) => ({ node: node.id, series }));

/**
 * True for a tester on an origin's machine. The origin's line shows the whole host, which is what a threshold is about,
 * so this tester's line shows the share of its own process.
 */
function sharesHostWithOrigin(node: NodeView, nodes: Nodes): boolean {
  return node.role === 'tester' && origins(nodes).some((origin) => origin.host === node.host);
}

function coresOfHost(host: string, nodes: Nodes): number | undefined {
  return nodes.find((node) => node.host === host && node.machine)?.machine?.cores;
}

/** The host with the fewest cores, named by its origin if it has one: the first to be outrun by its load. */
export function fewestCores(nodes: Nodes): { name: string; cores: number } | undefined {
  const known = [...origins(nodes), ...testers(nodes)].flatMap((node) =>
    node.machine ? [{ name: node.name, cores: node.machine.cores }] : [],
  );
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

export function cpu(nodes: Nodes): readonly TraceSpec[] {
  return nodes.map((node) => {
    if (!sharesHostWithOrigin(node, nodes)) return ofNode(node, ['cpuPercent']);
    const cores = coresOfHost(node.host, nodes);
    return cores ? ofNode(node, ['processCpuPercent'], { factor: 1 / cores }) : ofNode(node, []);
  });
}

export function memory(nodes: Nodes): readonly TraceSpec[] {
  return nodes.map((node) =>
    ofNode(node, [sharesHostWithOrigin(node, nodes) ? 'processMemoryBytes' : 'memoryUsedBytes'], {
      factor: 1 / gibibyte,
    }),
  );
}

/** Load belongs to a host: a tester on the origin's machine has none of its own. */
export function load(nodes: Nodes): readonly TraceSpec[] {
  return nodes.filter((node) => !sharesHostWithOrigin(node, nodes)).map((node) => ofNode(node, ['load1']));
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
