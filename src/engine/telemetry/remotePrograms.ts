import type { ProgramShare } from '../../domain/model/otherLoad';
import { sleep, type Clock } from '../base/clock';
import { parseProcessStat, type ProcessStat } from './procParse';
import { programCpu, type ProcessScan } from './programCpu';

export interface RemoteScan {
  /** Requests a scan of all processes from the host. */
  readonly ask: (id: number) => void;
  readonly cores: number;
  readonly ticksPerSecond: number;
  readonly pageBytes: number;
  /** Processes of the test. */
  readonly ours: () => readonly number[];
}

/** As for this machine: an older or younger scan is not compared with. */
const oldestMs = 15_000;
const youngestMs = 900;
const longestMs = 5000;

/** Names the programs that use another host besides the test, by the responses to `top` of its script. */
export class RemotePrograms {
  private last: ProcessScan | undefined;
  private lastId = 0;
  private stats: ProcessStat[] | undefined;
  private answered: ((scan: ProcessScan | undefined) => void) | undefined;
  private measuring: Promise<readonly ProgramShare[]> | undefined;

  constructor(private readonly clock: Clock) {}

  /** The largest programs since the last scan, or over the next second without one; empty without a response. */
  measure(how: RemoteScan): Promise<readonly ProgramShare[]> {
    this.measuring ??= this.scanTwice(how).finally(() => {
      this.measuring = undefined;
    });
    return this.measuring;
  }

  /** Takes a line of the host; false when it does not belong to a scan. */
  line(line: string): boolean {
    if (line.startsWith('@top ')) this.stats = [];
    else if (line.startsWith('@top-all ')) {
      const { stats = [] } = this;
      this.stats = undefined;
      this.answered?.({ monotonicMs: this.clock.monotonic(), stats });
    } else if (this.stats) {
      const stat = parseProcessStat(line);
      if (stat) this.stats.push(stat);
    } else return false;
    return true;
  }

  /** The channel is gone: nothing more is received, and nothing is compared across it. */
  drop(): void {
    this.stats = undefined;
    this.last = undefined;
    this.answered?.(undefined);
  }

  private async scanTwice(how: RemoteScan): Promise<readonly ProgramShare[]> {
    const ageMs = this.last ? this.clock.monotonic() - this.last.monotonicMs : Infinity;
    const isUsable = this.last !== undefined && ageMs >= youngestMs && ageMs <= oldestMs;
    const before = isUsable ? this.last : await this.scan(how);
    if (!isUsable && before) await sleep(this.clock, 1000);
    const now = before && (await this.scan(how));
    if (!before || !now) return [];
    this.last = now;
    return programCpu(before, now, { ...how, ours: new Set(how.ours()) });
  }

  private scan({ ask }: RemoteScan): Promise<ProcessScan | undefined> {
    return new Promise((resolve) => {
      const cancelLimit = this.clock.after(longestMs, () => this.answered?.(undefined));
      this.answered = (scan) => {
        cancelLimit();
        this.answered = undefined;
        resolve(scan);
      };
      this.lastId += 1;
      ask(this.lastId);
    });
  }
}
