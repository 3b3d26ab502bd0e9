import { afterEach, expect, it, vi } from 'vitest';
import { Clock } from './clock.svelte';

afterEach(() => vi.useRealTimers());

it('follows the engine if the local clock is set during a run, and the local clock afterwards', () => {
  vi.useFakeTimers({ now: 1_795_000_000_000 });
  vi.stubGlobal('document', { hidden: false });
  const clock = new Clock();
  const startMs = clock.nowMs;
  vi.advanceTimersByTime(1000);
  expect(clock.nowMs - startMs).toBe(1000);
  // The engine's latest tick is slightly old.
  clock.follow(startMs + 200);
  expect(clock.nowMs - startMs).toBe(1000);
  vi.setSystemTime(startMs + 1000 - 3_600_000);
  clock.follow(startMs + 1000);
  vi.advanceTimersByTime(500);
  expect(clock.nowMs - startMs).toBe(1500);
  expect(clock.now() - startMs).toBe(1500);
  expect(clock.localMs - startMs).toBe(1500 - 3_600_000);
  clock.follow(undefined);
  expect(clock.nowMs - startMs).toBe(1500 - 3_600_000);
  clock.dispose();
  vi.unstubAllGlobals();
});
