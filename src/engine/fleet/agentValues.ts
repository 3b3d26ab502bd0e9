import type { MachineFingerprint, NodeCapabilities } from '../../domain/model/node';
import type { SeriesId } from '../../domain/series/series';
import type { ProcessSample } from '../../contract/agentSample';
import type { HelloResult } from '../../contract/agentCalls';
import { pullProtocols } from '../../domain/model/protocols';
import type { LoadDriver } from '../load/driver';
import { hostFigures } from './node';

const capabilities: NodeCapabilities = {
  publish: ['whip', 'rtmp'],
  pull: pullProtocols,
  play: [],
  serves: [],
  measure: [...hostFigures, 'GC'],
  terminate: false,
};

/**
 * Capabilities of an agent that drives viewers, wherever it runs. `driver`: known once it has reported its protocols.
 */
export function audienceCapabilities(driver: LoadDriver | undefined): NodeCapabilities {
  return driver ? { ...capabilities, pull: driver.protocols } : capabilities;
}

/** Figures of the agent's own process by series. */
export function processValues(process: ProcessSample): Partial<Record<SeriesId, number>> {
  const { cpuPercent, memoryBytes, openFiles, gcPauseMaxMs } = process;
  return {
    processCpuPercent: cpuPercent,
    processMemoryBytes: memoryBytes,
    processOpenFiles: openFiles,
    gcPauseMs: gcPauseMaxMs,
  };
}

/** The machine as described by the agent's greeting. */
export function machineOf({ host, limits, unmeasured }: HelloResult): Omit<MachineFingerprint, 'versions'> {
  return {
    system: `${host.system} ${host.architecture}`,
    kernel: host.kernel,
    cpuModel: host.cpuModel,
    cores: host.cores,
    memoryBytes: host.memoryBytes,
    openFilesLimit: limits.openFiles,
    ...(unmeasured === undefined ? {} : { unmeasured }),
  };
}
