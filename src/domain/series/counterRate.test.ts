import { describe, expect, it } from 'vitest';
import { CounterRate, type CounterRateOptions } from './counterRate';

type Curve = (ms: number) => number;

/** A counter that increases by `perSecond` and is updated every `stepMs`, from `phaseMs` on. */
const stepped =
  (perSecond: number, stepMs: number, phaseMs = 0): Curve =>
  (ms) =>
    (Math.floor((ms + phaseMs) / stepMs) * stepMs * perSecond) / 1000;

/** Read each second, alternately up to 80 ms late. */
function rates(counter: Curve, seconds: number, options?: CounterRateOptions): Array<number | undefined> {
  const rate = new CounterRate(options);
  return Array.from({ length: seconds }, (_, second) => {
    const nowMs = second * 1000 + (second % 3) * 40;
    return rate.read(nowMs, counter(nowMs));
  });
}

describe('the rate of a counter', () => {
  it('of a continuous counter is that of the last second', () => {
    const all = rates((ms) => ms * 5, 10);
    expect(all[0]).toBeUndefined();
    for (const rate of all.slice(1)) expect(rate).toBeCloseTo(5000, 6);
    const faster = rates((ms) => (ms < 5000 ? ms : 5000 + (ms - 5000) * 9), 10);
    expect(faster[4]).toBeCloseTo(1000, 6);
    expect(faster[7]).toBeCloseTo(9000, 6);
  });

  it('does not drop when two readings are 5 ms apart', () => {
    const rate = new CounterRate();
    const at = (ms: number): number | undefined => rate.read(ms, Math.floor(ms / 20) * 20);
    for (const ms of [0, 1000, 2000]) at(ms);
    expect([2005, 3000, 3004, 4000].map(at)).toEqual([1000, 1000, 1000, 1000]);
  });

  it.each([3000, 5000, 10_000])('of a counter updated every %d ms is even, and never 0 in between', (stepMs) => {
    const all = rates(stepped(400, stepMs, 700), 60, { periodMs: 5000 });
    expect(all.slice(0, 8).filter((rate) => rate !== undefined && rate > 480)).toEqual([]);
    // The first periods are wrong until the real one is learnt.
    for (const rate of all.slice(stepMs > 5000 ? 20 : 8)) {
      expect(rate).toBeGreaterThan(400 * 0.8);
      expect(rate).toBeLessThan(400 * 1.2);
    }
  });

  it('of a counter summed and published at different intervals is even once these are known', () => {
    // Summed every 5 s, published every 3 s: changes are seen after 3 s and 6 s alternately.
    const counted = stepped(400, 5000);
    const all = rates((ms) => counted(Math.floor(ms / 3000) * 3000), 90, { periodMs: 5000 });
    for (const rate of all.slice(30)) {
      expect(rate).toBeGreaterThan(400 * 0.79);
      expect(rate).toBeLessThan(400 * 1.21);
    }
  });

  it('is 0 once the counter stalls for two of its periods, and correct as soon as it continues', () => {
    const counter: Curve = (ms) => stepped(400, 3000)(ms < 30_000 ? ms : Math.max(30_000, ms - 30_000));
    const all = rates(counter, 90, { periodMs: 5000 });
    expect(all[33]).toBeCloseTo(400, -2);
    expect(all[38]).toBe(0);
    expect(all[62]).toBe(0);
    for (const rate of all.slice(64)) {
      expect(rate).toBeGreaterThan(300);
      expect(rate).toBeLessThan(500);
    }
  });

  it('is 0 immediately when an always current counter stalls', () => {
    const all = rates((ms) => Math.min(ms, 3000) + Math.max(0, ms - 6000), 10, { isLive: true });
    expect(all.slice(1).map((rate) => Math.round(rate ?? -1))).toEqual([1000, 1000, 1000, 0, 0, 0, 1000, 1000, 1000]);
  });

  it('is 0 for a counter that never increased', () => {
    const all = rates(() => 7, 15, { periodMs: 5000 });
    expect(all[8]).toBeUndefined();
    expect(all.slice(11)).toEqual([0, 0, 0, 0]);
  });

  it('starts again after a restart of the server', () => {
    const rate = new CounterRate();
    expect([9000, 9500, 10, 60].map((value, second) => rate.read(second * 1000, value))).toEqual([
      undefined,
      500,
      undefined,
      50,
    ]);
  });

  it("uses the server's own timestamps if it reports them", () => {
    const rate = new CounterRate({ periodMs: 5000 });
    const all = Array.from({ length: 20 }, (_, second) => {
      const countedMs = Math.floor((second * 1000 + 400) / 3000) * 3000;
      return rate.read(second * 1000 + 400, countedMs, countedMs);
    });
    expect(new Set(all.slice(7))).toEqual(new Set([1000]));
  });

  it('of a known least period is correct while small changes lie between the steps', () => {
    const rate = new CounterRate({ minPeriodMs: 5000, spanMs: 10_000 });
    // First a little each second, then a step every 5 s with a small change 1 s after it, as LiveKit's bytes.
    const counter: Curve = (ms) => {
      const sinceStepMs = ms % 5000;
      const steps = Math.max(0, Math.floor(ms / 5000) - 1);
      const small = ms < 5000 ? ms / 100 : 50 + 10 * (steps + (sinceStepMs >= 1000 ? 1 : 0));
      return 2000 * steps + small;
    };
    const all = Array.from({ length: 60 }, (_, second) => rate.read(second * 1000, counter(second * 1000)));
    expect(Math.max(...all.map((value) => value ?? 0))).toBeLessThan(400 * 1.3);
    for (const value of all.slice(25)) {
      expect(value).toBeGreaterThan(400 * 0.8);
      expect(value).toBeLessThan(400 * 1.2);
    }
  });
});
