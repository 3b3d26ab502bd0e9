import type { MachineFingerprint } from '../../../domain/node';
import { machineKey } from '../ownProcesses';
import { parseOpenFilesLimit } from '../procParse';

/** What a host says of itself before the first beat. */
export interface HostFacts {
  readonly system: string;
  readonly kernel: string;
  readonly cpuModel: string;
  readonly openFilesLimit?: number;
  /** Ticks per second of CPU times. */
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
  /** The machine and its table of pids, see `machineKey`; absent where it does not tell. */
  readonly machineKey?: string;
  /** Name of a system that has no /proc, e.g. `Darwin`. */
  readonly withoutProc?: string;
}

/** Linux has 100 ticks a second on all platforms that matter, and 4 KB pages on most; where `getconf` is missing they are assumed. */
const usualTicks = 100;
const usualPageBytes = 4096;

/** Reads the lines that come before `@ready`; what is missing is an empty text. */
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
    ticksPerSecond: Number(after('@ticks ')) || usualTicks,
    pageBytes: Number(after('@page ')) || usualPageBytes,
    withoutProc: after('@none ') || undefined,
  };
}

/** The facts with what the first beat told. */
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
