import { afterEach, expect, it } from 'vitest';
import { maxDelayMs } from '../../../domain/viewer/delay';
import { firstPageSource, isPageSource, mediaFileSource } from '../../../domain/clock/sources';
import { allocatePatternNumber, drawnFrame, DrawnFrames, localPatterns } from './localPatterns';

afterEach(() => localPatterns.clear());

const size = { width: 640, height: 360 };

it('finds the frame of a clock row among those of the longest delay', () => {
  const frames = new DrawnFrames();
  const startMs = 1_795_260_764_000.25;
  const drawn = Array.from({ length: 4000 }, (_, index) => ({
    ...{ stream: 'cam', source: 3, frame: index + 1, size },
    timeMs: startMs + index * 40,
  }));
  for (const frame of drawn) frames.add(frame);
  const lowOf = (timeMs: number): number => Math.round(timeMs) % 2 ** 24;
  const found = drawn.filter(({ timeMs }) => frames.at(lowOf(timeMs)) !== undefined);
  expect(found).toEqual(drawn.slice(-maxDelayMs / 40 - 1));
  expect(frames.at(lowOf(startMs + 3999 * 40 + 1))).toBeUndefined();
});

it('knows frames of active patterns only', () => {
  const source = allocatePatternNumber(() => 0);
  localPatterns.get(source)?.add({ stream: 'cam', frame: 1, timeMs: 5, source, size });
  expect(drawnFrame({ source, timeLow: 5 })).toMatchObject({ frame: 1 });
  localPatterns.delete(source);
  expect(drawnFrame({ source, timeLow: 5 })).toBeUndefined();
});

it('allocates each number once, but not those of clock pages and media files', () => {
  const numbers = Array.from({ length: firstPageSource }, () => allocatePatternNumber());
  expect(new Set(numbers).size).toBe(firstPageSource);
  expect(numbers).not.toContain(mediaFileSource);
  expect(numbers.some(isPageSource)).toBe(false);
  expect(() => allocatePatternNumber()).toThrow('already draws 48 test patterns');
});
