import type { SeriesId } from '../series/series';
import type { ResourceId } from './estimate';

/** How a resource is read and displayed. */
export interface ResourceKind {
  readonly id: ResourceId;
  readonly title: string;
  readonly series: SeriesId;
  /** From the series' unit to the displayed one. */
  readonly factor: number;
  /** Follows the number; empty for plain counts. */
  readonly unit: string;
  /** Within a sentence: `bottleneck: host CPU`. */
  readonly words: string;
  /** Whether it is of the host, with everything that runs there. */
  readonly ofHost: boolean;
  /** May determine the ceiling. Resources that grow in steps or by their own rules are only reported. */
  readonly decides: boolean;
}

const mebi = 1 / 2 ** 20;

/** Every resource, in display order. */
export const resourceKinds: readonly ResourceKind[] = [
  kind('hostCpu', 'Host CPU', 'cpuPercent', '%', 'host CPU', { ofHost: true }),
  kind('processCpu', 'Process CPU', 'processCpuPercent', '% of a core', 'process CPU'),
  kind('memory', 'Host memory', 'memoryUsedBytes', 'MiB', 'host memory', {
    ofHost: true,
    factor: mebi,
  }),
  kind('processMemory', 'Process memory', 'processMemoryBytes', 'MiB', 'process memory', {
    factor: mebi,
  }),
  kind('bandwidth', 'Bandwidth out', 'networkOutMbps', 'Mbit/s', 'network'),
  kind('packets', 'Packets out', 'originPacketsPerSecond', 'packets/s', 'packet rate'),
  kind('sockets', 'Sockets', 'socketsUsed', '', 'sockets', { ofHost: true }),
  kind('openFiles', 'Open files', 'processOpenFiles', '', 'open files'),
  kind('connections', 'Connections', 'originConnections', '', 'connections'),
  kind('threads', 'Threads', 'processThreads', '', 'threads'),
  kind('mediaPorts', 'Media ports', 'server:ports_media_busy', '', 'media ports'),
  kind('ownBudget', 'CPU budget reported by the server', 'server:cpu_budget_percent', '%', 'server CPU budget'),
  kind('gcPause', 'GC pause p95', 'gcPauseMs', 'ms', 'garbage collector', { decides: false }),
];

export function resourceKind(id: ResourceId): ResourceKind {
  const found = resourceKinds.find((kind) => kind.id === id);
  if (!found) throw new Error(`Resource ${id} does not exist.`);
  return found;
}

function kind(
  id: ResourceId,
  title: string,
  series: SeriesId,
  unit: string,
  words: string,
  { factor = 1, ofHost = false, decides = true }: Partial<Pick<ResourceKind, 'factor' | 'ofHost' | 'decides'>> = {},
): ResourceKind {
  return { id, title, series, factor, unit, words, ofHost, decides };
}
