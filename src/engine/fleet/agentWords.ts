import type { MachineFingerprint, NodeCapabilities } from '../../domain/node';
import type { SeriesId } from '../../domain/series';
import type { AgentProcess, HelloResult } from '../../contract/agentProtocol';
import { hostFigures } from './node';

/** What an agent in its role as the audience can do, wherever it runs. */
export const audienceCapabilities: NodeCapabilities = {
  publish: ['whip', 'rtmp'],
  pull: ['whep'],
  play: [],
  serves: [],
  measure: [...hostFigures, 'GC'],
  terminate: false,
};

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
