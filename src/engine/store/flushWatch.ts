import { systemClock } from '../base/clock';

/** What is watched of a run's writer. */
export interface Flushed {
  /** Commits pending data; throws a sentence when it can't. */
  flush(): void;
  /** Continues in another folder, with all data; returns its path. Throws a sentence when no folder accepts it. */
  rescue(): string;
  /** Whether the file being written is no longer the one at its path, so that it can never be found again. */
  readonly isLost: boolean;
  /** Samples dropped for lack of memory. */
  readonly thinned: number;
}

/** A full disk may soon have free space again; after this long the run continues elsewhere. */
const patienceMs = 10_000;
const retryMs = 2000;

/** Flushes a writer each second. A problem is reported once, and once when it is over. */
export class FlushWatch {
  private failingSinceMs: number | undefined;
  private triedMs = Number.NEGATIVE_INFINITY;
  private isRescueRefused = false;
  private hasReportedThinned = false;

  constructor(
    private readonly writer: Flushed,
    private readonly tell: (sentence: string) => void,
    private readonly now: () => number = systemClock.monotonic,
  ) {}

  tick(): void {
    if (this.failingSinceMs !== undefined && this.now() - this.triedMs < retryMs) return;
    this.attempt(() => this.writer.flush(), patienceMs);
    if (this.writer.thinned === 0 || this.hasReportedThinned) return;
    this.hasReportedThinned = true;
    this.tell('Too many samples are pending in memory: every second one of the oldest is dropped.');
  }

  /** Runs a write to the file, if necessary once more elsewhere. Never throws; what can't be saved is reported. */
  secure(act: () => void): void {
    this.attempt(act, 0);
  }

  private attempt(act: () => void, graceMs: number): void {
    this.triedMs = this.now();
    try {
      act();
    } catch (error) {
      this.failed(error, act, graceMs);
      return;
    }
    if (this.failingSinceMs === undefined) return;
    this.tell('The run file can be written again; pending data is saved.');
    this.over();
  }

  private failed(error: unknown, act: () => void, graceMs: number): void {
    const isNew = this.failingSinceMs === undefined;
    this.failingSinceMs ??= this.triedMs;
    if (isNew) this.tell(`${(error as Error).message} Measurements are held in memory.`);
    if (!this.writer.isLost && this.triedMs - this.failingSinceMs < graceMs) return;
    try {
      this.tell(`The run is saved to ${this.writer.rescue()} from now on.`);
      this.over();
      act();
    } catch (refusal) {
      if (!this.isRescueRefused) this.tell(`${(refusal as Error).message} Free space on one of these disks.`);
      this.isRescueRefused = true;
    }
  }

  private over(): void {
    this.failingSinceMs = undefined;
    this.isRescueRefused = false;
  }
}
