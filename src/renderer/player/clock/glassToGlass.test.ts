import { clockCells, encodeClock, decodeClock } from '../../../domain/clock/clockRow';
import { describe, expect, it } from 'vitest';
import type { DelaySummary } from './delaySamples';
import { sampleOf, withDelay } from './glassToGlass';

const originMs = 1_795_260_000_000;

const patterns: ReadonlySet<number> = new Set([1]);

function readingAt(timeMs: number): NonNullable<ReturnType<typeof decodeClock>> {
  const reading = decodeClock(encodeClock(1, timeMs).map((white) => (white ? 235 : 16)));
  if (!reading) throw new Error(`A row of ${clockCells} cells could not be read.`);
  return reading;
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

it('keeps the latest delay of each protocol', () => {
  const delay: DelaySummary = { p50Ms: 100, p95Ms: 100, p99Ms: 100, jitterMs: 0, uncertaintyMs: 1, count: 20 };
  const whep = { ...delay, protocol: 'whep' } as const;
  const hls = { ...delay, protocol: 'hls' } as const;
  const later = { ...whep, p50Ms: 90 };
  expect(withDelay(withDelay(withDelay([], whep), hls), later)).toEqual([later, hls]);
});
