import type { MachineFingerprint } from '../../../domain/model/node';
import { machineKey } from '../ownProcesses';
import { parseOpenFilesLimit } from '../procParse';

/** What a host reports about itself before the first reading. */
export interface HostFacts {
  readonly system: string;
  readonly kernel: string;
  readonly cpuModel: string;
  readonly openFilesLimit?: number;
  /** Ticks per second of CPU times. */
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
  /** The machine and its pid namespace, see `machineKey`; absent where unknown. */
  readonly machineKey?: string;
  /** Name of a system that has no /proc, e.g. `Darwin`. */
  readonly withoutProc?: string;
}

/**
 * Linux has 100 ticks a second on all relevant platforms, and 4 KB pages on most; assumed where `getconf` is missing.
 */
const defaultTicks = 100;
const defaultPageBytes = 4096;

/** Parses the lines before `@ready`; missing ones count as empty. */
export function parseFacts(lines: readonly string[]): HostFacts {
  const after = (start: string): string => {
    const line = lines.find((one) => one.startsWith(start));
    return line ? line.slice(start.length).trim() : '';
  };
  const model = lines.find((line) => /^(model name|Model|Hardware)\s*:/.test(line));
  const boot = after('@boot ');
  return {
    ...(boot === '' ? {} : { machineKey: machineKey(boot, after('@pids ')) }),
    system: `${after('PRETTY_NAME=').replace(/^["']|["']$/g, '') || 'Linux'} ${after('@machine ')}`.trim(),
    kernel: after('@kernel '),
    cpuModel: model ? model.slice(model.indexOf(':') + 1).trim() : '',
    openFilesLimit: parseOpenFilesLimit(lines.find((line) => line.startsWith('Max open files')) ?? ''),
    ticksPerSecond: Number(after('@ticks ')) || defaultTicks,
    pageBytes: Number(after('@page ')) || defaultPageBytes,
    withoutProc: after('@none ') || undefined,
  };
}

/** The facts, completed from the first reading. */
export function fingerprint(facts: HostFacts, cores: number, memoryBytes: number): MachineFingerprint {
  return {
    system: facts.system,
    kernel: facts.kernel,
    cpuModel: facts.cpuModel,
    cores,
    memoryBytes,
    openFilesLimit: facts.openFilesLimit,
    versions: {},
  };
}
