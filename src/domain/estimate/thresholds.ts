import type { NodeView } from '../model/node';
import { formatFigure } from '../text/numberFormat';
import { defaultExpectations, type Plan } from '../model/plan';
import type { ResourceId, Threshold } from './estimate';

/** Share of the machine's memory: beyond it caches are dropped and a heap can't grow (a common alert threshold). */
export const memoryShare = 0.85;
/** Files that a process needs besides its viewers'. */
const spareFiles = 64;

/** Capacities of an origin, as far as known. */
export interface OriginMachine {
  readonly cores?: number;
  readonly memoryBytes?: number;
  readonly openFilesLimit?: number;
  readonly capacity?: NodeView['capacity'];
  /** Memory in use by other processes. */
  readonly otherMemoryBytes?: number;
  /** Free and busy in total, as counted by the server. */
  readonly mediaPorts?: number;
}

/** CPU threshold, in percent of all cores. */
export function cpuLimit(plan: Pick<Plan, 'expect'>): number {
  const { comparison, value } = plan.expect.cpu ?? defaultExpectations.cpu;
  return comparison === '<=' ? value : defaultExpectations.cpu.value;
}

/** Threshold of each resource, in its series' unit; an absent resource has no known threshold. */
export function thresholdsOf(
  plan: Pick<Plan, 'expect'>,
  machine: OriginMachine,
): Partial<Record<ResourceId, Threshold>> {
  const { cores, memoryBytes, openFilesLimit, capacity, otherMemoryBytes, mediaPorts } = machine;
  const cpu = cpuLimit(plan);
  const memory = memoryBytes === undefined ? undefined : memoryBytes * memoryShare;
  const ofMemory = memoryBytes && `${memoryShare * 100} % of ${gibibytes(memoryBytes)}`;
  const pause = plan.expect.gcPause;
  return {
    hostCpu: { value: cpu, text: `${cpu} %` },
    ...(cores && {
      processCpu: {
        value: cpu * cores,
        text: cores === 1 ? `${cpu} % of a core` : `${cpu} % of ${cores} cores`,
      },
    }),
    ...(memory && ofMemory && { memory: { value: memory, text: ofMemory } }),
    ...(memory &&
      ofMemory &&
      otherMemoryBytes !== undefined && {
        processMemory: {
          value: Math.max(0, memory - otherMemoryBytes),
          text: `${ofMemory}, less ${gibibytes(otherMemoryBytes)} used by others`,
        },
      }),
    ...(capacity && {
      bandwidth: {
        value: capacity.mbps,
        text: `${formatFigure(capacity.mbps, 'integer')} Mbit/s by iperf3${capacity.direction === 'in' ? ', measured inbound' : ''}`,
      },
    }),
    ...(openFilesLimit && {
      openFiles: {
        value: openFilesLimit - spareFiles,
        text: `${formatFigure(openFilesLimit, 'integer')} open files`,
      },
    }),
    ...(mediaPorts && {
      mediaPorts: { value: mediaPorts, text: `${formatFigure(mediaPorts, 'integer')} media ports` },
    }),
    ownBudget: { value: 100, text: '100 %' },
    ...(pause?.comparison === '<=' && { gcPause: { value: pause.value, text: `${pause.value} ms` } }),
  };
}

function gibibytes(bytes: number): string {
  return `${formatFigure(bytes / 2 ** 30, 'adaptive')} GiB`;
}
