import type { MachineFingerprint, NodeCapabilities } from '../../domain/node';
import type { SeriesId } from '../../domain/series';
import type { AgentProcess, HelloResult } from '../../contract/agentProtocol';
import { agentPullProtocols } from '../load/agent/agentDriver';
import type { LoadDriver } from '../load/driver';
import { hostFigures } from './node';

const capabilities: NodeCapabilities = {
  publish: ['whip', 'rtmp'],
  pull: agentPullProtocols,
  play: [],
  serves: [],
  measure: [...hostFigures, 'GC'],
  terminate: false,
};

/** What an agent in its role as the audience can do, wherever it runs; `driver` of one that has told by what it pulls. */
export function audienceCapabilities(driver: LoadDriver | undefined): NodeCapabilities {
  return driver ? { ...capabilities, pull: driver.protocols } : capabilities;
}

/** Figures of the agent's own process under their series' names. */
export function processValues(process: AgentProcess): Partial<Record<SeriesId, number>> {
  const { cpuPercent, memoryBytes, openFiles, gcPauseMaxMs } = process;
  return {
    processCpuPercent: cpuPercent,
    processMemoryBytes: memoryBytes,
    processOpenFiles: openFiles,
    gcPauseMs: gcPauseMaxMs,
  };
}

/** The machine as the agent's greeting describes it. */
export function machineOf({ host, limits }: HelloResult): Omit<MachineFingerprint, 'versions'> {
  return {
    system: `${host.system} ${host.architecture}`,
    kernel: host.kernel,
    cpuModel: host.cpuModel,
    cores: host.cores,
    memoryBytes: host.memoryBytes,
    openFilesLimit: limits.openFiles,
  };
}
