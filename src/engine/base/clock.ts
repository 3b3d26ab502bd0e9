import { performance } from 'node:perf_hooks';

/** Prevents what a timer would do; does nothing once that is done. */
export type Cancel = () => void;

/** A background timer does not keep the process running. */
export type TimerKind = 'background';

/** Time for the engine, which has no other timers: tests pass a virtual one. */
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
  /** Milliseconds with fractions since any timestamp, for durations. */
  readonly monotonic: () => number;
  /** Calls `run` once after `ms`. */
  readonly after: (ms: number, run: () => void, kind?: TimerKind) => Cancel;
}

/** The clock of an engine, which notices when the system's clock is set. */
export interface EngineClock extends Clock {
  /**
   * By how many ms the system's clock was set since the last reading, 0 if it was not. A clock that runs fast or slow
   * is not a step.
   */
  step(): number;
  /** Adopts the system's clock; only while no run is active, whose times this would move. */
  follow(): void;
}

function systemTimer(ms: number, run: () => void, kind?: TimerKind): Cancel {
  const timer = setTimeout(run, ms);
  if (kind === 'background') timer.unref();
  return () => clearTimeout(timer);
}

/** What counts as a step of the system's clock: smaller corrections are routine. */
const minStepMs = 1000;

/** Two readings further apart were not taken together: the process was stopped between them. */
const atOnceMs = 20;

/** The system's clock at the start, continued by the monotonic clock until `follow` adopts the system's clock again. */
export class SteadyClock implements EngineClock {
  /** Unix time at the monotonic clock's 0. */
  private startMs: number;
  /** Unix time at the monotonic clock's 0, by the latest reading of the system's clock. */
  private seenMs: number;

  constructor(
    readonly monotonic: () => number = () => performance.now(),
    readonly wall: () => number = () => Date.now(),
    readonly after: Clock['after'] = systemTimer,
  ) {
    this.startMs = this.seenMs = this.wallStart() ?? wall() - monotonic();
  }

  readonly now = (): number => Math.floor(this.startMs + this.monotonic());

  step(): number {
    const start = this.wallStart();
    if (start === undefined) return 0;
    const stepMs = start - this.seenMs;
    this.seenMs = start;
    return Math.abs(stepMs) < minStepMs ? 0 : Math.round(stepMs);
  }

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
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.after(ms, end);
    signal?.addEventListener('abort', end);
  });
}

/** Resolves once everything that is due in this process has had its turn: not a time, but an order. */
export const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** A timer that is this late shows that the process did not run. */
export const latestMs = 1000;

/**
 * Calls `run` after `ms`, but not before messages that arrived while this process was stopped have been read. The
 * returned function cancels it.
 */
export function afterReading(clock: Clock, ms: number, run: () => void): Cancel {
  const dueMs = clock.monotonic() + ms;
  let cancel = clock.after(ms, () => {
    if (clock.monotonic() - dueMs < latestMs) run();
    else cancel = clock.after(latestMs, run);
  });
  return () => cancel();
}

/**
 * Polls `check` every 50 ms. Resolves with true as soon as it returns true, with false on timeout or when `signal`
 * aborts.
 */
export async function waitUntil(
  clock: Clock,
  check: () => boolean | Promise<boolean>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const endMs = clock.monotonic() + timeoutMs;
  for (;;) {
    if (await check()) return true;
    if (signal?.aborted || clock.monotonic() >= endMs) return false;
    await sleep(clock, 50, signal);
  }
}

/** Undefined without a result in time, or without any. */
export async function inTime<T>(clock: Clock, work: Promise<T>, ms: number): Promise<T | undefined> {
  let cancel: Cancel = () => undefined;
  const late = new Promise<undefined>((resolve) => {
    cancel = clock.after(ms, () => resolve(undefined), 'background');
  });
  try {
    return await Promise.race([work.catch(() => undefined), late]);
  } finally {
    cancel();
  }
}

/** Aborts after `ms` with a `TimeoutError`, as `AbortSignal.timeout` does. */
export function timeoutSignal(clock: Clock, ms: number): AbortSignal {
  const control = new AbortController();
  // No DOMException: the oldest runtime of the app (Node.js 16) has none.
  const fault = Object.assign(new Error('No response in time'), { name: 'TimeoutError' });
  clock.after(ms, () => control.abort(fault), 'background');
  return control.signal;
}

/** Calls `run` every `everyMs`, first after `everyMs`, until the returned function is called. */
export function every(clock: Clock, everyMs: number, run: () => void, kind?: TimerKind): Cancel {
  let cancel: Cancel = () => undefined;
  const schedule = (): void => {
    cancel = clock.after(
      everyMs,
      () => {
        schedule();
        run();
      },
      kind,
    );
  };
  schedule();
  return () => cancel();
}

/** Calls `tick` shortly after every second of the clock until the returned function is called. */
export function everySecond(clock: Clock, tick: (nowMs: number) => void): Cancel {
  return everyInterval(clock, 1000, tick);
}

/**
 * Calls `tick` shortly after every multiple of `everyMs` on the clock until the returned function is called. A late
 * call is not made up for. Two calls are at least half an interval apart: a timer may fire slightly early, which must
 * not turn one tick into two.
 */
export function everyInterval(clock: Clock, everyMs: number, tick: (nowMs: number) => void): Cancel {
  let cancel: Cancel = () => undefined;
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
