import type { ChartSpec } from '../chartSpec';
import type { BuiltInChartId } from '../../model/chartIds';
import type { NodeView } from '../../model/node';
import { silentGcLog, silentHostSource } from '../../model/silentSource';

/**
 * What would measure the built-in charts of nodes. Charts of viewer metrics need a pull, as an empty chart states
 * itself.
 */
const sources: Readonly<Partial<Record<BuiltInChartId, string>>> = {
  cpu: 'add SSH or node_exporter',
  bandwidth: 'add SSH or node_exporter',
  gc: 'add SSH and a GC log',
  memory: 'add SSH or node_exporter',
  load: 'add SSH or node_exporter',
};

/** What is known of the sources of a run's charts. */
export interface SourceState {
  /** Viewers were requested. */
  readonly hasPull: boolean;
  /** A viewer has connected. */
  readonly hasConnected: boolean;
  /** Sources that have had no time to report since their start; absent: none. */
  readonly starting?: { readonly hosts: boolean; readonly viewers: boolean } | undefined;
  readonly isLive?: boolean | undefined;
}

type Observed = Pick<NodeView, 'id' | 'name' | 'links' | 'gcProblem' | 'state'>;

const waiting = 'Waiting for the first sample';

/**
 * The chart with a sentence for while none of its series is measured: what it waits for, what to add, or which
 * configured source is silent.
 */
export function withNoSource(chart: ChartSpec, state: SourceState, nodes: readonly Observed[] = []): ChartSpec {
  const noSource = chart.isOfViewers ? ofViewers(state) : ofNodes(chart.id as BuiltInChartId, state, nodes);
  return noSource === undefined ? chart : { ...chart, noSource };
}

function ofViewers({ hasPull, hasConnected, starting, isLive = false }: SourceState): string | undefined {
  if (!hasPull) return undefined;
  if (!hasConnected) return isLive ? `${waiting}: no viewer has connected yet` : 'No data: no viewer connected';
  return starting?.viewers ? waiting : 'No source: the testers of this run do not measure it';
}

function ofNodes(id: BuiltInChartId, { starting }: SourceState, nodes: readonly Observed[]): string | undefined {
  if (sources[id] === undefined) return undefined;
  if (nodes.some((node) => node.state === 'starting' || (starting?.hosts && isReporting(node)))) return waiting;
  const reasonOf = id === 'gc' ? silentGcLog : silentHostSource;
  const [silent] = nodes.flatMap((node) => {
    const why = reasonOf(node);
    return why === undefined ? [] : [`${node.name}: ${why}`];
  });
  return `No source: ${silent ?? sources[id]}`;
}

/** It has a source of its host's figures, without a fault so far. */
function isReporting({ links = [] }: Observed): boolean {
  return links.some(
    ({ kind, state, problem }) =>
      (kind === 'loopback' || kind === 'ssh' || kind === 'metrics') && state !== 'off' && problem === undefined,
  );
}
