import { arch, cpus, platform, release, totalmem } from 'node:os';
import type { MachineFingerprint } from '../../domain/model/node';

/** The machine of this process, until an agent has described it. */
export function localMachine(versions: MachineFingerprint['versions']): MachineFingerprint {
  const cores = cpus();
  return {
    system: `${platform()} ${arch()}`,
    kernel: release(),
    cpuModel: cores[0]?.model.trim() ?? '',
    cores: cores.length,
    memoryBytes: totalmem(),
    versions,
  };
}
