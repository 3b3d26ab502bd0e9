import { performance } from 'node:perf_hooks';

/** Time as the engine's rules see it; tests hand in their own. */
export interface Clock {
  /**
   * Unix time in ms UTC that goes on evenly: setting the system's clock does not reach it. It drives, and it stamps
   * what is measured.
   */
  readonly now: () => number;
  /**
   * What the system's clock shows, Unix ms UTC: for a plan's time of day, for tokens, and for times that another
   * machine gave as its own.
   */
  readonly wall: () => number;
  /** Calls `run` once after `ms`; the returned function takes it back. */
  readonly after: (ms: number, run: () => void) => () => void;
}

/** What counts as a step of the system's clock: less is how clocks are corrected all the time. */
const leastStepMs = 1000;

/** Two readings that lie further apart were not made at once: the process was stopped between them. */
const atOnceMs = 20;

/**
 * The system's clock as it was at the beginning, carried on by the monotonic one until it is told to follow the
 * system's again.
 */
export class SteadyClock implements Clock {
  /** Unix time at the monotonic clock's 0. */
  private startMs: number;
  /** The same at the latest look at the system's clock. */
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
   * By how many ms the system's clock was set since the last look, 0 when it was not. One that runs fast or slow is
   * no step.
   */
  step(): number {
    const start = this.wallStart();
    if (start === undefined) return 0;
    const stepMs = start - this.seenMs;
    this.seenMs = start;
    return Math.abs(stepMs) < leastStepMs ? 0 : Math.round(stepMs);
  }

  /** Takes the system's clock over as it is; for when no run is under way, whose times this would move. */
  follow(): void {
    const start = this.wallStart();
    if (start !== undefined && Math.abs(start - this.startMs) >= leastStepMs) this.startMs = start;
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

/** The one of this process. */
export const systemClock = new SteadyClock();

/** Resolves after `ms`, or at once when `signal` aborts; the caller looks at the signal. */
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

/** A timer that is so late tells that this process did not run. */
export const latestMs = 1000;

/**
 * Calls `run` after `ms`, but not before what came in while this process was stopped has been read. The returned
 * function takes it back.
 */
export function afterReading(ms: number, run: () => void): () => void {
  const dueMs = performance.now() + ms;
  let timer = setTimeout(() => {
    if (performance.now() - dueMs < latestMs) run();
    else timer = setTimeout(run, latestMs);
  }, ms);
  return () => clearTimeout(timer);
}

/** Asks `check` every 50 ms until it is true (true), or the time is over or `signal` aborts (false). */
export async function waitUntil(
  check: () => boolean,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    if (check()) return true;
    if (signal?.aborted || performance.now() >= endMs) return false;
    await sleep(50, signal);
  }
}

/** Calls `tick` shortly after every second of the clock until the returned function is called. */
export function everySecond(clock: Clock, tick: (nowMs: number) => void): () => void {
  return everyInterval(clock, 1000, tick);
}

/**
 * Calls `tick` shortly after every multiple of `everyMs` on the clock until the returned function is called. A late call is not made
 * up for. Two calls are half an interval apart at least: a timer may fire a moment before its time, which must not make two of one.
 */
export function everyInterval(clock: Clock, everyMs: number, tick: (nowMs: number) => void): () => void {
  let cancel = (): void => undefined;
  const schedule = (leastMs: number): void => {
    const untilMs = everyMs - (clock.now() % everyMs);
    cancel = clock.after(untilMs < leastMs ? untilMs + everyMs : untilMs, () => {
      schedule(everyMs / 2);
      tick(clock.now());
    });
  };
  schedule(0);
  return () => cancel();
}
