import { expect, it } from 'vitest';
import { DelayReaders, type DelayPlace } from './delayReaders';

/** How many frames of 10 s of a stream are read. */
function readIn10s(place: DelayPlace | undefined, fps: number): number {
  const frames = Array.from({ length: 10 * fps }, (_, frame) => (1000 * frame) / fps);
  return frames.filter((timeMs) => place?.isDue(timeMs)).length;
}

it('reads every frame of a single viewer', () => {
  expect(readIn10s(new DelayReaders().enter(), 30)).toBe(300);
  expect(readIn10s(new DelayReaders().enter(), 60)).toBe(600);
});

it('reads as many frames of several viewers as of one', () => {
  const readers = new DelayReaders();
  const places = [1, 2, 3, 4].map(() => readers.enter());
  const all = places.map((place) => readIn10s(place, 60)).reduce((sum, count) => sum + count);
  expect(all).toBeGreaterThan(400);
  expect(all).toBeLessThanOrEqual(600);
});

it('lets the next viewer read when one has left, once', () => {
  const readers = new DelayReaders();
  const [first] = [1, 2, 3, 4].map(() => readers.enter());
  expect(readers.enter()).toBeUndefined();
  first?.leave();
  first?.leave();
  expect(readers.enter()).toBeDefined();
  expect(readers.enter()).toBeUndefined();
});
