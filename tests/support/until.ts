import { sleep as sleepBy, systemClock } from '../../src/engine/base/clock';

/** Resolves after some real time. */
export const sleep = (ms: number): Promise<void> => sleepBy(systemClock, ms);

/** Whether a condition holds within a limit; looks every 20 ms. */
export async function until(check: () => boolean | Promise<boolean>, limitMs = 10_000): Promise<boolean> {
  const endMs = Date.now() + limitMs;
  while (!(await check())) {
    if (Date.now() > endMs) return false;
    await sleep(20);
  }
  return true;
}
