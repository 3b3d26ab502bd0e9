import { nextTurn, SteadyClock } from '../../src/engine/base/clock';

interface Timer {
  readonly dueMs: number;
  readonly run: () => void;
}

/** Time that passes only when a test says so: timers fire in their order, and what each causes is awaited. */
export class VirtualTime {
  /** Milliseconds that have passed. */
  private passedMs = 0;
  private timers: Timer[] = [];
  /** Unix time in ms of the system's clock at the start, and by how much it was set since. */
  private wallStartMs: number;
  readonly clock: SteadyClock;

  constructor(
    startMs = 1_795_000_000_000,
    /** Resolves when nothing happens any more without time; default: all promises and what is due at once. */
    private readonly settled: () => Promise<void> = nextTurn,
  ) {
    this.wallStartMs = startMs;
    this.clock = new SteadyClock(
      () => this.passedMs,
      () => this.wallStartMs + this.passedMs,
      (ms, run) => {
        const timer = { dueMs: this.passedMs + Math.max(0, ms), run };
        this.timers.push(timer);
        return () => {
          this.timers = this.timers.filter((each) => each !== timer);
        };
      },
    );
  }

  /** The system's clock is set. */
  setClock(byMs: number): void {
    this.wallStartMs += byMs;
  }

  /** The process does not run for a while: time passes, and timers that were due fire afterwards. */
  readonly suspend = (ms: number): Promise<void> => {
    this.passedMs += ms;
    return this.pass(0);
  };

  readonly pass = async (ms: number): Promise<void> => {
    await this.passUntil(() => false, ms);
  };

  /** Lets time pass until `check` holds, at most `limitMs`. Resolves with whether it holds. */
  readonly passUntil = async (check: () => boolean, limitMs: number): Promise<boolean> => {
    const endMs = this.passedMs + limitMs;
    await this.settled();
    for (;;) {
      if (check()) return true;
      const next = this.nextTimer(endMs);
      if (!next) break;
      this.timers = this.timers.filter((timer) => timer !== next);
      this.passedMs = Math.max(this.passedMs, next.dueMs);
      next.run();
      await this.settled();
    }
    this.passedMs = endMs;
    return check();
  };

  private nextTimer(endMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.timers) if (timer.dueMs <= endMs && (!first || timer.dueMs < first.dueMs)) first = timer;
    return first;
  }
}
