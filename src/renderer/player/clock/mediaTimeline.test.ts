import { describe, expect, it } from 'vitest';
import { MediaTimeline, type MediaReading } from './mediaTimeline';

const clock = { startMs: 1000, sinceMs: 1000, untilMs: 30_000, durationMs: 12_000, uncertaintyMs: 3 };
const reading = (timeMs: number, mediaMs: number): MediaReading => ({ source: 63, timeMs, mediaMs, uncertaintyMs: 8 });

function timeline(...clocks: Partial<typeof clock>[]): MediaTimeline {
  const all = new MediaTimeline();
  for (const each of clocks) all.note({ ...clock, ...each });
  return all;
}

describe('media timeline', () => {
  it('computes the delay from when a time of the file was sent', () => {
    const sample = { timeMs: 5300, delayMs: 300, uncertaintyMs: 11 };
    expect(timeline({}).sampleOf(reading(5300, 4000))).toEqual(sample);
  });

  it('counts across loops', () => {
    // Sent at the end of the first loop, and at the begin of the third one.
    expect(timeline({}).sampleOf(reading(13_200, 11_900))?.delayMs).toBe(300);
    expect(timeline({}).sampleOf(reading(25_200, 100))?.delayMs).toBe(100);
    // The publisher reports the start of its current loop.
    expect(timeline({ startMs: 25_000 }).sampleOf(reading(24_900, 11_800))?.delayMs).toBe(100);
  });

  it('accepts a delay that the clocks make negative', () => {
    expect(timeline({}).sampleOf(reading(4998, 4000))?.delayMs).toBe(-2);
  });

  it('knows nothing of what was sent before the first report or after the last one', () => {
    expect(timeline({ sinceMs: 5000 }).sampleOf(reading(5300, 3800))).toBeUndefined();
    expect(timeline({}).sampleOf(reading(30_400, 5100))).toBeUndefined();
    expect(new MediaTimeline().sampleOf(reading(5300, 4000))).toBeUndefined();
  });

  it('refuses times that the file does not have', () => {
    expect(timeline({}).sampleOf(reading(25_000, 12_500))).toBeUndefined();
  });

  it('applies what held when a frame was sent', () => {
    const forward = timeline({ untilMs: 9900 }, { startMs: 100, sinceMs: 10_000 });
    expect(forward.sampleOf(reading(10_100, 8800))?.delayMs).toBe(300);
    expect(forward.sampleOf(reading(10_500, 10_100))?.delayMs).toBe(300);
  });

  it('gives no delay to a frame that was sent before a jump and again after it', () => {
    const back = timeline({ untilMs: 9900 }, { startMs: 1900, sinceMs: 10_000 });
    // 1,100 ms after it was sent first, 200 ms after the second time.
    expect(back.sampleOf(reading(10_600, 8500))).toBeUndefined();
    expect(back.sampleOf(reading(11_400, 9300))?.delayMs).toBe(200);
  });

  it('replaces a report of the same mapping', () => {
    const all = timeline({}, { startMs: 13_002, sinceMs: 1002, untilMs: 31_000 });
    expect(all.untilMs).toBe(31_000);
    expect(all.sampleOf(reading(5302, 4000))?.delayMs).toBe(300);
  });
});
