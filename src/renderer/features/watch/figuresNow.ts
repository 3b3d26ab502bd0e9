import type { NodeView } from '../../../domain/model/node';
import type { NodeFigures } from '../../../domain/node/fleetState';
import type { SeriesId } from '../../../domain/series/series';
import type { SampleStore } from '../../charts/sampleStore';
import { cpuSource, latest } from '../../parts/nodes/nodeFigures';

/** The current figures of a node; those of a node that does not respond are not current. */
export function figuresNow(node: NodeView, fleet: readonly NodeView[], samples: SampleStore): NodeFigures {
  if (node.state !== 'live') return {};
  const host = cpuSource(node, fleet, samples).node;
  const read = (series: SeriesId, from = node.id): number | undefined => latest(samples, from, { series, factor: 1 });
  return {
    cpuPercent: read('cpuPercent', host),
    memoryBytes: read('memoryUsedBytes', host),
    memoryTotalBytes: fleet.find(({ host: of, machine }) => of === node.host && machine !== undefined)?.machine
      ?.memoryBytes,
    outMbps: read('originOutMbps') ?? read('networkOutMbps', host),
    viewers: node.role === 'origin' ? (read('originViewers') ?? viewersOf(node)) : undefined,
  };
}

/** Of the streams whose viewers the server reports. */
function viewersOf({ streams }: NodeView): number | undefined {
  const known = streams.flatMap(({ viewers }) => viewers ?? []);
  return known.length === 0 ? undefined : known.reduce((sum, viewers) => sum + viewers, 0);
}
