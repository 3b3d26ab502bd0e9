/** Time as the engine's rules see it; tests hand in their own. */
export interface Clock {
  /** Unix time in ms UTC. */
  readonly now: () => number;
  /** Calls `run` once after `ms`; the returned function takes it back. */
  readonly after: (ms: number, run: () => void) => () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

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

/** Asks `check` every 50 ms until it is true (true), or the time is over or `signal` aborts (false). */
export async function waitUntil(
  check: () => boolean,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const endMs = Date.now() + timeoutMs;
  for (;;) {
    if (check()) return true;
    if (signal?.aborted || Date.now() >= endMs) return false;
    await sleep(50, signal);
  }
}

/** Calls `tick` shortly after every wall-clock second until the returned function is called. A late call is not made up for. */
export function everySecond(clock: Clock, tick: (nowMs: number) => void): () => void {
  let cancel = (): void => undefined;
  const schedule = (): void => {
    cancel = clock.after(1000 - (clock.now() % 1000), () => {
      schedule();
      tick(clock.now());
    });
  };
  schedule();
  return () => cancel();
}
