import { performance } from 'node:perf_hooks';

/** What is watched of a run's writer. */
export interface Flushed {
  /** Commits what is waiting; throws a sentence when it can't. */
  flush(): void;
  /** Goes on in another folder, with all there was; answers its path. Throws a sentence when no folder takes it. */
  rescue(): string;
  /** Whether the file that is written is not the one of its name any more, so that it can never be found again. */
  readonly isLost: boolean;
  /** Samples that were dropped since there was no room for them in memory. */
  readonly thinned: number;
}

/** A full disk may soon have room again; after this long the run goes on elsewhere. */
const patienceMs = 10_000;
const retryMs = 2000;

/** Flushes a writer each second. What goes wrong is told once, and once when it is over. */
export class FlushWatch {
  private failingSinceMs: number | undefined;
  private triedMs = Number.NEGATIVE_INFINITY;
  private isRescueRefused = false;
  private hasToldThinned = false;

  constructor(
    private readonly writer: Flushed,
    private readonly tell: (sentence: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  tick(): void {
    if (this.failingSinceMs !== undefined && this.now() - this.triedMs < retryMs) return;
    this.attempt(() => this.writer.flush(), patienceMs);
    if (this.writer.thinned === 0 || this.hasToldThinned) return;
    this.hasToldThinned = true;
    this.tell('Too many samples wait in memory: of the oldest, every second one is dropped.');
  }

  /** Does what writes to the file, once more elsewhere if need be. Never throws; what can't be saved is told. */
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
    this.tell('The run file can be written again; what was waiting is in it.');
    this.over();
  }

  private failed(error: unknown, act: () => void, graceMs: number): void {
    const isNew = this.failingSinceMs === undefined;
    this.failingSinceMs ??= this.triedMs;
    if (isNew) this.tell(`${(error as Error).message} What is measured is kept in memory.`);
    if (!this.writer.isLost && this.triedMs - this.failingSinceMs < graceMs) return;
    try {
      this.tell(`The run is saved to ${this.writer.rescue()} from now on.`);
      this.over();
      act();
    } catch (refusal) {
      if (!this.isRescueRefused) this.tell(`${(refusal as Error).message} Make room on one of these disks.`);
      this.isRescueRefused = true;
    }
  }

  private over(): void {
    this.failingSinceMs = undefined;
    this.isRescueRefused = false;
  }
}
