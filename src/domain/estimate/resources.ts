import type { SeriesId } from '../series';
import type { ResourceId } from './estimate';

/** How a resource is read and told. */
export interface ResourceKind {
  readonly id: ResourceId;
  readonly title: string;
  readonly series: SeriesId;
  /** From the series' unit to the one of figures and sentences. */
  readonly factor: number;
  /** Follows the number; empty for plain counts. */
  readonly unit: string;
  /** Within a sentence: `CPU of the host gives out first`. */
  readonly words: string;
  /** Of the whole host: everything else that runs there is in it. */
  readonly ofHost: boolean;
  /** May decide the predicted ceiling. What grows in leaps or by rules of its own only says so. */
  readonly decides: boolean;
}

const mebi = 1 / 2 ** 20;

/** Every resource, in the order in which it is shown. */
export const resourceKinds: readonly ResourceKind[] = [
  kind('hostCpu', 'CPU of the host', 'cpuPercent', '%', 'the CPU of the host', { ofHost: true }),
  kind('processCpu', 'CPU of the process', 'processCpuPercent', '% of a core', "the process's CPU"),
  kind('memory', 'Memory of the host', 'memoryUsedBytes', 'MiB', 'the memory of the host', {
    ofHost: true,
    factor: mebi,
  }),
  kind('processMemory', 'Memory of the process', 'processMemoryBytes', 'MiB', "the process's memory", {
    factor: mebi,
  }),
  kind('bandwidth', 'Bandwidth out', 'networkOutMbps', 'Mbit/s', 'the network'),
  kind('packets', 'Packets out', 'originPacketsPerSecond', 'packets/s', 'the packet rate'),
  kind('sockets', 'Sockets', 'socketsUsed', '', 'sockets', { ofHost: true }),
  kind('openFiles', 'Open files', 'processOpenFiles', '', 'open files'),
  kind('connections', 'Connections', 'originConnections', '', 'connections'),
  kind('threads', 'Threads', 'processThreads', '', 'threads'),
  kind('mediaPorts', 'Media ports', 'server:ports_media_busy', '', 'media ports'),
  kind(
    'ownBudget',
    'CPU budget, as the server says',
    'server:cpu_budget_percent',
    '%',
    'the CPU budget of the server',
  ),
  kind('gcPause', 'GC pause p95', 'gcPauseMs', 'ms', 'the garbage collector', { decides: false }),
];

export function resourceKind(id: ResourceId): ResourceKind {
  const found = resourceKinds.find((each) => each.id === id);
  if (!found) throw new Error(`There is no resource ${id}.`);
  return found;
}

function kind(
  id: ResourceId,
  title: string,
  series: SeriesId,
  unit: string,
  words: string,
  {
    factor = 1,
    ofHost = false,
    decides = true,
  }: Partial<Pick<ResourceKind, 'factor' | 'ofHost' | 'decides'>> = {},
): ResourceKind {
  return { id, title, series, factor, unit, words, ofHost, decides };
}
