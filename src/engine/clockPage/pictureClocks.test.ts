import { expect, it } from 'vitest';
import { wrapMs } from '../../domain/clock/clockRow';
import { firstPageSource, isPageSource, mediaFileSource } from '../../domain/clock/sources';
import { PictureClocks } from './pictureClocks';

const here = '127.0.0.1';

function clocks(startMs = 1_795_260_764_000) {
  const time = { nowMs: startMs };
  return { time, all: new PictureClocks(() => time.nowMs) };
}

it('gives each page a number that no test pattern has, and none if all are in use', () => {
  const { all } = clocks();
  const count = mediaFileSource - firstPageSource;
  const numbers = Array.from({ length: count }, () => all.open(here)!);
  expect(new Set(numbers).size).toBe(count);
  expect(numbers.every(isPageSource)).toBe(true);
  expect(all.open(here)).toBeUndefined();
});

it('knows since when and until when a clock is known, and how exactly', () => {
  const { all, time } = clocks();
  const source = all.open(here)!;
  const openedMs = time.nowMs;
  expect(all.mediaClocks).toEqual([]);
  for (const uncertaintyMs of [3, 1]) {
    time.nowMs += 1000;
    all.drawn(source, uncertaintyMs);
  }
  // The larger one: pictures of that time may still be on their way.
  expect(all.views).toEqual([
    { source, from: here, sinceMs: openedMs, untilMs: openedMs + 2000, uncertaintyMs: 3, isOpen: true },
  ]);
  expect(all.mediaClocks[0]?.clock).toMatchObject({ durationMs: wrapMs, uncertaintyMs: 3.5 });
  expect(all.mediaClocks[0]!.clock.startMs % wrapMs).toBe(0);
  time.nowMs += 200_000;
  all.drawn(source, 1);
  expect(all.views[0]?.uncertaintyMs).toBe(1);
  all.unknown(source);
  expect(all.mediaClocks).toEqual([]);
  expect(all.views[0]).toMatchObject({ sinceMs: time.nowMs, untilMs: time.nowMs });
});

it('keeps a page that was closed for as long as its pictures may be on their way, and its number for it', () => {
  const { all, time } = clocks();
  const source = all.open(here)!;
  time.nowMs += 1000;
  all.drawn(source, 2);
  // Another page can't take it over.
  expect(all.open(here, source)).not.toBe(source);
  all.closed(source);
  time.nowMs += 60_000;
  expect(all.mediaClocks.map((each) => each.source)).toEqual([source]);
  expect(all.open('192.168.1.31', source)).not.toBe(source);
  expect(all.open(here, source)).toBe(source);
  all.closed(source);
  time.nowMs += 61_000;
  expect(all.mediaClocks).toEqual([]);
});
