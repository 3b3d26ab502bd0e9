import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ClockPageState } from '../../../contract/clockPageCalls';
import type { WindowClient } from '../../client/connection';
import { ClockPage, uncertaintyText } from './clockPage.svelte';
import { PhotoReader } from './photoReader.svelte';
import { timesIn, type Luma } from './pictures';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

const engineOf = (call: (name: string) => unknown): WindowClient =>
  ({ call: (name: string) => Promise.resolve().then(() => call(name)) }) as unknown as WindowClient;

const off: ClockPageState = { urls: [], isLan: false, pages: [] };

it('a clock page that has not reported for seconds is not shown as exact', () => {
  const page = { source: 52, from: '192.168.1.31', sinceMs: 1000, untilMs: 60_000, uncertaintyMs: 1.3, isOpen: true };
  expect(uncertaintyText(page, 61_500)).toBe('± 1.3 ms');
  expect(uncertaintyText(page, 100_000)).toBe('no report for 40 s');
  expect(uncertaintyText({ ...page, sinceMs: 60_000 }, 61_000)).toBe('being measured');
});

it('a lost connection is no problem any more once the engine answers; a failed start remains one', async () => {
  let isLost = false;
  const page = new ClockPage(
    engineOf((name) => {
      if (isLost) throw new Error('The engine does not answer.');
      if (name === 'clockPage.start') throw new Error('Port 80 is in use.');
      return off;
    }),
  );
  const unfollow = page.follow();
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.problem).toBeUndefined();
  isLost = true;
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.problem).toBe('The engine does not answer.');
  isLost = false;
  await vi.advanceTimersByTimeAsync(1000);
  expect(page.problem).toBeUndefined();
  await page.start('here');
  await vi.advanceTimersByTimeAsync(2000);
  expect(page.problem).toBe('Port 80 is in use.');
  unfollow();
});

it('a recording is not read on once its reader has been stopped', async () => {
  let taken = 0;
  async function* pictures(): AsyncGenerator<Luma> {
    for (; taken < 20; taken += 1) yield await Promise.resolve({ width: 1, height: 1, luma: new Uint8Array(1) });
  }
  let asked = 0;
  const reader: PhotoReader = new PhotoReader(
    engineOf(() => {
      asked += 1;
      if (asked === 3) reader.stop();
      return { codes: [] };
    }),
    pictures,
  );
  const file = { name: 'both.webm', type: 'video/webm' } as File;
  reader.add([file, file]);
  await vi.advanceTimersByTimeAsync(1000);
  expect([asked, taken]).toEqual([3, 3]);
});

it('the pictures of a recording are from all of its length; one without a length is refused in a sentence', () => {
  expect(timesIn(40)).toHaveLength(20);
  expect([timesIn(40)[0], timesIn(40)[19]]).toEqual([1, 39]);
  for (const seconds of [Number.NaN, Number.POSITIVE_INFINITY]) expect(() => timesIn(seconds)).toThrow('length');
});
