import { describe, expect, it } from 'vitest';
import { DelaySamples, summarise, type DelaySample } from './delaySamples';

function samples(delays: readonly number[], uncertaintyMs = 0.5): DelaySample[] {
  return delays.map((delayMs, index) => ({ timeMs: index * 200, delayMs, uncertaintyMs }));
}

describe('summarise', () => {
  it('returns nothing for too few frames', () => {
    expect(summarise(samples([200, 201, 202]), 1000, 10)).toBeUndefined();
  });

  it('returns percentiles by nearest rank, and the jitter', () => {
    const delays = Array.from({ length: 100 }, (_, index) => 300 - index);
    expect(summarise(samples(delays), 20_000, 10)).toEqual({
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
    expect(summarise([...old, ...recent], 100_000, 10)).toMatchObject({ p95Ms: 100, count: 20 });
  });
});

describe('delay samples', () => {
  it('are kept for a minute, in bulk', () => {
    const all = new DelaySamples(1);
    for (let timeMs = 0; timeMs <= 200_000; timeMs += 1000) all.add({ timeMs, delayMs: timeMs, uncertaintyMs: 1 });
    expect(all.summary(200_000)).toMatchObject({ count: 61, p50Ms: 170_000 });
    expect(all.median(0, 60_000)).toBeUndefined();
    expect(all.latest?.timeMs).toBe(200_000);
  });

  it('have a median of those that were played within a time', () => {
    const all = new DelaySamples(1);
    for (const sample of samples([50, 90, 70, 10])) all.add(sample);
    expect(all.median(0, 400)?.delayMs).toBe(70);
    expect(all.median(0, 200)?.delayMs).toBe(50);
    expect(all.median(601, 900)).toBeUndefined();
  });

  it('are taken once, and not without end', () => {
    const all = new DelaySamples(1);
    for (const sample of samples([50, 90])) all.add(sample);
    expect([all.take(), all.take()]).toEqual([[50, 90], []]);
    for (const sample of samples(Array.from({ length: 1000 }, () => 40))) all.add(sample);
    expect(all.take()).toHaveLength(300);
  });
});
