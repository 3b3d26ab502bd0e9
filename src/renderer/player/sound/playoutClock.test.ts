import { describe, expect, it } from 'vitest';
import { PlayoutClock } from './playoutClock';

const rateHz = 48_000;

/** Blocks of 10 ms, requested at these times. */
function clockOf(timesMs: readonly number[], arrivesAfterMs: (index: number) => number): PlayoutClock {
  const clock = new PlayoutClock(rateHz);
  timesMs.forEach((timeMs, index) => clock.note(index * 480, timeMs, 1_000_000 + timeMs + arrivesAfterMs(index)));
  return clock;
}
const every = (ms: number, count: number): number[] => Array.from({ length: count }, (_, index) => index * ms);

describe('playout clock', () => {
  it('takes the earliest arrival as that of all', () => {
    const clock = clockOf(every(10, 100), (index) => (index === 60 ? 0 : 5 + (index % 7)));
    expect(clock.timeOf(480 * 90)).toEqual({ timeMs: 1_000_900, uncertaintyMs: 0 });
  });

  it('uses the middle of blocks that are requested in pairs', () => {
    const clock = clockOf(
      every(20, 50).flatMap((timeMs) => [timeMs, timeMs]),
      () => 0,
    );
    const { timeMs, uncertaintyMs } = clock.timeOf(480 * 90);
    expect(timeMs).toBeCloseTo(1_000_895);
    expect(uncertaintyMs).toBeCloseTo(5);
  });

  it('begins anew after an interruption', () => {
    const clock = clockOf([...every(10, 50), ...every(10, 50).map((timeMs) => timeMs + 2500)], () => 0);
    const { timeMs, uncertaintyMs } = clock.timeOf(480 * 90);
    expect(timeMs).toBeCloseTo(1_002_900);
    expect(uncertaintyMs).toBeCloseTo(0);
  });

  it('returns how late a block is read', () => {
    const clock = clockOf(every(10, 20), () => 2);
    expect(clock.note(480 * 20, 200, 1_000_000 + 200 + 32)).toBe(30);
  });
});
