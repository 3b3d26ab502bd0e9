import type { NodeView } from '../node';
import { formatFigure } from '../numberFormat';
import { defaultExpectations, type Plan } from '../plan/plan';
import type { ResourceId, Threshold } from './estimate';

/** Of the machine's memory: beyond, caches are given up and a heap can't grow (the field's own alert). */
export const memoryShare = 0.85;
/** Files that a process needs beside its viewers'. */
const spareFiles = 64;

/** What an origin has, as far as it is known. */
export interface OriginMachine {
  readonly cores?: number;
  readonly memoryBytes?: number;
  readonly openFilesLimit?: number;
  readonly capacity?: NodeView['capacity'];
  /** Memory in use that is not the process's own. */
  readonly otherMemoryBytes?: number;
  /** Free and busy together, as the server counts them. */
  readonly mediaPorts?: number;
}

/** How far the CPU may be used, in percent of all cores. */
export function cpuLimit(plan: Pick<Plan, 'expect'>): number {
  const { comparison, value } = plan.expect.cpu ?? defaultExpectations.cpu;
  return comparison === '<=' ? value : defaultExpectations.cpu.value;
}

/** Up to where each resource may be used, in its series' unit; a resource that is not named has no threshold that is known. */
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
          text: `${ofMemory}, less ${gibibytes(otherMemoryBytes)} of others`,
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

export function gibibytes(bytes: number): string {
  return `${formatFigure(bytes / 2 ** 30, 'adaptive')} GiB`;
}
