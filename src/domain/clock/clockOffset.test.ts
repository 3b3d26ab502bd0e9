import { describe, expect, it } from 'vitest';
import { ClockOffset } from './clockOffset';

/** Numbers from 0 to 1, the same for each seed. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

describe('offset between two clocks', () => {
  it.each([50, -50, 100])(
    'of which one is 3 s ahead and drifts by %i ppm is within the uncertainty, for an hour',
    (ppm) => {
      const random = randomOf(7);
      const otherAt = (trueMs: number): number => trueMs + 3000 + (trueMs * ppm) / 1e6;
      const offset = new ClockOffset(0.5);
      let [worst, largest] = [0, 0];
      for (let atMs = 0; atMs < 3_600_000; atMs += 3000) {
        for (let request = 0; request < 8; request += 1) {
          // One way is much slower than the other now and then.
          const thereMs = 0.2 + 4 * random() + (random() < 0.3 ? 80 * random() : 0);
          const backMs = 0.2 + 4 * random() + (random() < 0.3 ? 80 * random() : 0);
          const sentMs = atMs + 50 * request;
          offset.note({
            ...{ sentMs, receivedMs: sentMs + thereMs + backMs },
            otherMs: Math.floor(otherAt(sentMs + thereMs)) + 0.5,
          });
        }
        for (const nowMs of [atMs + 400, atMs + 2990]) {
          const { offsetMs, uncertaintyMs } = offset.at(nowMs)!;
          const errorMs = Math.abs(offsetMs - (otherAt(nowMs) - nowMs));
          expect(errorMs).toBeLessThanOrEqual(uncertaintyMs);
          worst = Math.max(worst, errorMs);
          largest = Math.max(largest, uncertaintyMs);
        }
      }
      expect(largest).toBeLessThan(8);
      expect(worst).toBeGreaterThan(0.5);
    },
  );

  it('becomes less certain without new exchanges, and is unknown without any', () => {
    const offset = new ClockOffset(1);
    expect(offset.at(0)).toBeUndefined();
    offset.note({ sentMs: 1000, receivedMs: 1004, otherMs: 5002 });
    expect(offset.at(1002)).toEqual({ offsetMs: 4000, uncertaintyMs: 3, roundTripMs: 4 });
    expect(offset.at(61_002)?.uncertaintyMs).toBeCloseTo(9);
    offset.note({ sentMs: 2000, receivedMs: 1990, otherMs: 9999 });
    expect(offset.at(1002)?.offsetMs).toBe(4000);
    offset.clear();
    expect(offset.at(1002)).toBeUndefined();
  });

  it('is that of the shortest round trip, until one of the clocks is set', () => {
    const offset = new ClockOffset(0.5);
    offset.note({ sentMs: 1000, receivedMs: 1004, otherMs: 51_002 });
    offset.note({ sentMs: 2000, receivedMs: 2200, otherMs: 52_190 });
    expect(offset.at(2200)).toMatchObject({ offsetMs: 50_000, roundTripMs: 4 });
    offset.note({ sentMs: 3000, receivedMs: 3010, otherMs: 43_005 });
    expect(offset.at(3010)).toMatchObject({ offsetMs: 40_000, roundTripMs: 10 });
  });
});
