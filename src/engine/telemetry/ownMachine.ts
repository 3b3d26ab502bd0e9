import { arch, cpus, platform, release, totalmem } from 'node:os';
import type { MachineFingerprint } from '../../domain/node';

/** The machine that this process runs on, for as long as no agent has described it. */
export function ownMachine(versions: MachineFingerprint['versions']): MachineFingerprint {
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
