import type { ProgramShare } from '../../domain/model/otherLoad';
import { sleep, type Clock } from '../base/clock';
import { pageBytes, readAllProcesses, ticksPerSecond } from './localProcesses';
import { programCpu, type ProcessScan } from './programCpu';

/** An older scan is outdated, a younger one too close to distinguish from noise. */
const oldestMs = 15_000;
const youngestMs = 900;

/**
 * Names the programs that use this machine besides the test, by scans of all its processes. A scan costs some
 * milliseconds, so it runs on request only.
 */
export class LocalPrograms {
  private last: ProcessScan | undefined;
  private measuring: Promise<readonly ProgramShare[]> | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly cores: number,
    /** Processes of the test. */
    private readonly ours: () => readonly number[],
    private readonly consoleRoot: number | undefined,
  ) {}

  /**
   * The largest programs since the last scan, or over the next second without one; empty where the system has no /proc.
   */
  measure(): Promise<readonly ProgramShare[]> {
    this.measuring ??= this.scanTwice().finally(() => {
      this.measuring = undefined;
    });
    return this.measuring;
  }

  private async scanTwice(): Promise<readonly ProgramShare[]> {
    try {
      const ageMs = this.last ? this.clock.monotonic() - this.last.monotonicMs : Infinity;
      const before = ageMs >= youngestMs && ageMs <= oldestMs && this.last ? this.last : await this.scan();
      if (before !== this.last) await sleep(this.clock, 1000);
      const now = await this.scan();
      this.last = now;
      return programCpu(before, now, {
        ...{ cores: this.cores, ticksPerSecond, pageBytes, consoleRoot: this.consoleRoot },
        ours: new Set(this.ours()),
      });
    } catch {
      return []; // no /proc: the share is reported without a name
    }
  }

  private async scan(): Promise<ProcessScan> {
    const stats = await readAllProcesses();
    return { monotonicMs: this.clock.monotonic(), stats };
  }
}

/** The ancestor of all processes of this console: in the app its main process, which started the engine's. */
export function consoleRoot(): number {
  return 'electron' in process.versions && 'parentPort' in process ? process.ppid : process.pid;
}
