import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ReportTime } from './reportTime.svelte';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('gives sources time from their start, viewers from the first connected one', () => {
  const time = new ReportTime();
  time.update(true, false);
  vi.advanceTimersByTime(20_000);
  expect(time.starting).toEqual({ hosts: true, viewers: false });
  time.update(true, true);
  vi.advanceTimersByTime(4000);
  time.update(true, true);
  expect(time.starting).toEqual({ hosts: true, viewers: true });
  vi.advanceTimersByTime(1000);
  expect(time.starting).toEqual({ hosts: true, viewers: false });
  vi.advanceTimersByTime(10_000);
  expect(time.starting).toEqual({ hosts: false, viewers: false });
});

it('has nothing to wait for in an ended run', () => {
  const time = new ReportTime();
  time.update(true, true);
  time.update(false, true);
  expect(time.starting).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
