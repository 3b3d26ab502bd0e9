import { performance } from 'node:perf_hooks';

/** Time for the engine's rules; tests pass their own. */
export interface Clock {
  /**
   * Unix time in ms UTC that advances steadily: setting the system's clock does not affect it. Timers and timestamps of
   * measurements use it.
   */
  readonly now: () => number;
  /**
   * The system's clock, Unix ms UTC: for a plan's time of day, for tokens, and for times that another machine reported
   * in its own clock.
   */
  readonly wall: () => number;
  /** Calls `run` once after `ms`; the returned function cancels it. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** What counts as a step of the system's clock: smaller corrections are routine. */
const minStepMs = 1000;

/** Two readings further apart were not taken together: the process was stopped between them. */
const atOnceMs = 20;

/** The system's clock at the start, continued by the monotonic clock until `follow` adopts the system's clock again. */
export class SteadyClock implements Clock {
  /** Unix time at the monotonic clock's 0. */
  private startMs: number;
  /** The same at the latest reading of the system's clock. */
  private seenMs: number;

  constructor(
    private readonly monotonic: () => number = () => performance.now(),
    readonly wall: () => number = () => Date.now(),
  ) {
    this.startMs = this.seenMs = this.wallStart() ?? wall() - monotonic();
  }

  readonly now = (): number => Math.floor(this.startMs + this.monotonic());

  readonly after = (ms: number, run: () => void): (() => void) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  };

  /**
   * By how many ms the system's clock was set since the last reading, 0 if it was not. A clock that runs fast or slow
   * is not a step.
   */
  step(): number {
    const start = this.wallStart();
    if (start === undefined) return 0;
    const stepMs = start - this.seenMs;
    this.seenMs = start;
    return Math.abs(stepMs) < minStepMs ? 0 : Math.round(stepMs);
  }

  /** Adopts the system's clock; only while no run is active, whose times this would move. */
  follow(): void {
    const start = this.wallStart();
    if (start !== undefined && Math.abs(start - this.startMs) >= minStepMs) this.startMs = start;
  }

  private wallStart(): number | undefined {
    for (let attempt = 0; attempt < 3; attempt += 1) {
      const beforeMs = this.monotonic();
      const wallMs = this.wall();
      if (this.monotonic() - beforeMs < atOnceMs) return wallMs - beforeMs;
    }
    return undefined;
  }
}

/** The clock of this process. */
export const systemClock = new SteadyClock();

/** Resolves after `ms`, or at once when `signal` aborts; the caller checks the signal. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
  });
}

/** A timer that is this late shows that the process did not run. */
export const latestMs = 1000;

/**
 * Calls `run` after `ms`, but not before messages that arrived while this process was stopped have been read. The
 * returned function cancels it.
 */
export function afterReading(ms: number, run: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < latestMs) run();
    else timer = setTimeout(run, latestMs);
  }, ms);
  return () => clearTimeout(timer);
}

/**
 * Polls `check` every 50 ms. Resolves with true as soon as it returns true, with false on timeout or when `signal`
 * aborts.
 */
export async function waitUntil(
  check: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    if (await check()) return true;
    if (signal?.aborted || performance.now() >= endMs) return false;
    await sleep(50, signal);
  }
}

/** Calls `tick` shortly after every second of the clock until the returned function is called. */
export function everySecond(clock: Clock, tick: (nowMs: number) => void): () => void {
  return everyInterval(clock, 1000, tick);
}

/**
 * Calls `tick` shortly after every multiple of `everyMs` on the clock until the returned function is called. A late
 * call is not made up for. Two calls are at least half an interval apart: a timer may fire slightly early, which must
 * not turn one tick into two.
 */
export function everyInterval(clock: Clock, everyMs: number, tick: (nowMs: number) => void): () => void {
  let cancel = (): void => undefined;
  const schedule = (minMs: number): void => {
    const untilMs = everyMs - (clock.now() % everyMs);
    cancel = clock.after(untilMs < minMs ? untilMs + everyMs : untilMs, () => {
      schedule(everyMs / 2);
      tick(clock.now());
    });
  };
  schedule(0);
  return () => cancel();
}
