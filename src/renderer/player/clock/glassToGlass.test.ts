import { describe, expect, it } from 'vitest';
import { clockCells, encodeClock, decodeClock } from './clockCode';
import { sampleOf, summarise, withDelay, type GlassSample } from './glassToGlass';

const originMs = 1_795_260_000_000;

const patterns: ReadonlySet<number> = new Set([1]);

function readingAt(timeMs: number): NonNullable<ReturnType<typeof decodeClock>> {
  const reading = decodeClock(encodeClock(1, timeMs).map((white) => (white ? 235 : 16)));
  if (!reading) throw new Error(`A row of ${clockCells} cells could not be read.`);
  return reading;
}

function samples(delays: readonly number[], uncertaintyMs = 0.5): GlassSample[] {
  return delays.map((delayMs, index) => ({ timeMs: index * 200, delayMs, uncertaintyMs }));
}

describe('sampleOf', () => {
  it('uses the midpoint of presentation and expected display, and half the distance as uncertainty', () => {
    const sample = sampleOf(
      readingAt(originMs + 1000),
      { presentationTime: 1200, expectedDisplayTime: 1216 },
      originMs,
      patterns,
    );
    expect(sample).toEqual({ timeMs: 1208, delayMs: 208, uncertaintyMs: 8.5 });
  });

  it('rejects the clock of another window', () => {
    const frame = { presentationTime: 1200, expectedDisplayTime: 1216 };
    expect(sampleOf(readingAt(originMs + 1000), frame, originMs, new Set([2]))).toBeUndefined();
  });

  it('rejects a frame that cannot be live', () => {
    const frame = { presentationTime: 100_000, expectedDisplayTime: 100_000 };
    expect(sampleOf(readingAt(originMs + 1000), frame, originMs, patterns)).toBeUndefined();
    // A future time was not drawn by this clock.
    expect(sampleOf(readingAt(originMs + 200_000), frame, originMs, patterns)).toBeUndefined();
  });
});

describe('summarise', () => {
  it('returns nothing for too few frames', () => {
    expect(summarise(samples([200, 201, 202]), 1000)).toBeUndefined();
  });

  it('returns percentiles by nearest rank, and the jitter', () => {
    const delays = Array.from({ length: 100 }, (_, index) => 300 - index);
    expect(summarise(samples(delays), 20_000)).toEqual({
      p50Ms: 250,
      p95Ms: 295,
      p99Ms: 299,
      jitterMs: 1,
      uncertaintyMs: 1,
      count: 100,
    });
  });

  it('drops values older than a minute', () => {
    const old = samples(new Array<number>(50).fill(900));
    const recent = samples(new Array<number>(20).fill(100)).map((sample) => ({ ...sample, timeMs: 90_000 }));
    expect(summarise([...old, ...recent], 100_000)).toMatchObject({ p95Ms: 100, count: 20 });
  });
});

it('keeps the latest delay of each protocol', () => {
  const delay = summarise(samples(new Array<number>(20).fill(100)), 4000);
  if (!delay) throw new Error('No summary of 20 samples.');
  const whep = { ...delay, protocol: 'whep' } as const;
  const hls = { ...delay, protocol: 'hls' } as const;
  const later = { ...whep, p50Ms: 90 };
  expect(withDelay(withDelay(withDelay([], whep), hls), later)).toEqual([later, hls]);
});
