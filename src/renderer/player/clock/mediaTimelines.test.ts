import { describe, expect, it } from 'vitest';
import { timeLowOf, wrapMs } from '../../../domain/clock/clockRow';
import { mediaFileSource } from '../../../domain/clock/sources';
import type { MediaReading } from './mediaTimeline';
import { MediaTimelines } from './mediaTimelines';

/** `performance.now()` of this window is 0 at this time of the console. */
const consoleMs = 1_795_260_764_000;
const source = 52;
const clock = {
  ...{ startMs: consoleMs - (consoleMs % wrapMs) - consoleMs, durationMs: wrapMs },
  ...{ sinceMs: 0, untilMs: 90_000, uncertaintyMs: 3 },
};

/** A frame of a clock page that was drawn and displayed at these times of the window. */
const reading = (drawnMs: number, timeMs: number, from = source): MediaReading => ({
  ...{ source: from, timeMs, mediaMs: timeLowOf(consoleMs + drawnMs), uncertaintyMs: 8 },
});

function known(): MediaTimelines {
  const timelines = new MediaTimelines();
  timelines.note(source, clock);
  return timelines;
}

describe('clocks of clock pages', () => {
  it('give the delay since a frame was drawn, as exactly as both clocks are known', () => {
    expect(known().delaysOf([reading(1000, 1742)])).toEqual([{ timeMs: 1742, delayMs: 742, uncertaintyMs: 11 }]);
  });

  it('give none for other pages, and for frames that were drawn before they were known', () => {
    expect(known().delaysOf([reading(1000, 1742, 53)])).toEqual([]);
    expect(new MediaTimelines().delaysOf([reading(1000, 1742)])).toEqual([]);
    expect(known().delaysOf([reading(-500, 242)])).toEqual([]);
  });

  it('give none for a recording', () => {
    expect(known().delaysOf([reading(1000, 61_200)])).toEqual([]);
    expect(known().delaysOf([reading(1000, 60_900)])).toHaveLength(1);
  });

  it('give none for a frame of a long media file that would be more than a minute old', () => {
    const timelines = new MediaTimelines();
    const loop = { startMs: 0, sinceMs: 0, untilMs: 500_000, durationMs: 300_000, uncertaintyMs: 1 };
    timelines.note(mediaFileSource, loop);
    const frame = (timeMs: number): MediaReading => ({
      ...{ source: mediaFileSource, mediaMs: 5000, uncertaintyMs: 8 },
      timeMs,
    });
    expect(timelines.delaysOf([frame(64_900)])).toHaveLength(1);
    expect(timelines.delaysOf([frame(65_200)])).toEqual([]);
  });

  it('let later frames wait until it is known whether they are right', () => {
    const waiting = [reading(89_000, 89_500), reading(90_000, 90_400)];
    const timelines = known();
    expect(timelines.delaysOf(waiting)).toHaveLength(1);
    expect(waiting).toHaveLength(1);
    timelines.note(source, { ...clock, untilMs: 91_000 });
    expect(timelines.delaysOf(waiting)).toMatchObject([{ delayMs: 400 }]);
    expect(waiting).toEqual([]);
  });

  it('are apart from the media file, whose delays are less than its loop', () => {
    const timelines = known();
    timelines.note(mediaFileSource, { startMs: 0, sinceMs: 0, untilMs: 90_000, durationMs: 12_000, uncertaintyMs: 1 });
    expect(timelines.loopMs).toBe(12_000);
    const file = { source: mediaFileSource, timeMs: 5300, mediaMs: 5000, uncertaintyMs: 8 };
    expect(timelines.delaysOf([file, reading(5000, 5900)]).map(({ delayMs }) => delayMs)).toEqual([300, 900]);
  });
});
