import { describe, expect, it } from 'vitest';
import { CounterRate, type CounterRateOptions } from './counterRate';

type Curve = (ms: number) => number;

/** A counter that goes up by `perSecond` and is updated every `stepMs`, from `phaseMs` on. */
const stepped =
  (perSecond: number, stepMs: number, phaseMs = 0): Curve =>
  (ms) =>
    (Math.floor((ms + phaseMs) / stepMs) * stepMs * perSecond) / 1000;

/** What is read each second, by turns up to 80 ms late. */
function rates(counter: Curve, seconds: number, options?: CounterRateOptions): Array<number | undefined> {
  const rate = new CounterRate(options);
  return Array.from({ length: seconds }, (_, second) => {
    const nowMs = second * 1000 + (second % 3) * 40;
    return rate.read(nowMs, counter(nowMs));
  });
}

describe('the rate of a counter', () => {
  it('that counts all the time is that of the last second', () => {
    const all = rates((ms) => ms * 5, 10);
    expect(all[0]).toBeUndefined();
    for (const rate of all.slice(1)) expect(rate).toBeCloseTo(5000, 6);
    const faster = rates((ms) => (ms < 5000 ? ms : 5000 + (ms - 5000) * 9), 10);
    expect(faster[4]).toBeCloseTo(1000, 6);
    expect(faster[7]).toBeCloseTo(9000, 6);
  });

  it('does not dive when two readings are 5 ms apart', () => {
    const rate = new CounterRate();
    const at = (ms: number): number | undefined => rate.read(ms, Math.floor(ms / 20) * 20);
    for (const ms of [0, 1000, 2000]) at(ms);
    expect([2005, 3000, 3004, 4000].map(at)).toEqual([1000, 1000, 1000, 1000]);
  });

  it.each([3000, 5000, 10_000])('that is updated every %d ms is even, and never 0 in between', (stepMs) => {
    const all = rates(stepped(400, stepMs, 700), 60, { periodMs: 5000 });
    expect(all.slice(0, 8).filter((rate) => rate !== undefined && rate > 480)).toEqual([]);
    // An update is late by three of the periods that were expected before the real one is learnt.
    for (const rate of all.slice(stepMs > 5000 ? 20 : 8)) {
      expect(rate).toBeGreaterThan(400 * 0.8);
      expect(rate).toBeLessThan(400 * 1.2);
    }
  });

  it('that is summed up on another beat than it is shown on is even once the beats are known', () => {
    // Counted every 5 s, shown every 3 s: changes are seen after 3 s and after 6 s by turns.
    const counted = stepped(400, 5000);
    const all = rates((ms) => counted(Math.floor(ms / 3000) * 3000), 90, { periodMs: 5000 });
    for (const rate of all.slice(30)) {
      expect(rate).toBeGreaterThan(400 * 0.79);
      expect(rate).toBeLessThan(400 * 1.21);
    }
  });

  it('is 0 once the counter stands for two of its periods, and right at once when it goes on', () => {
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

  it('is 0 at once where a counter that is always up to date stands', () => {
    const all = rates((ms) => Math.min(ms, 3000) + Math.max(0, ms - 6000), 10, { isLive: true });
    expect(all.slice(1).map((rate) => Math.round(rate ?? -1))).toEqual([
      1000, 1000, 1000, 0, 0, 0, 1000, 1000, 1000,
    ]);
  });

  it('is 0 for one that never counted', () => {
    const all = rates(() => 7, 15, { periodMs: 5000 });
    expect(all[8]).toBeUndefined();
    expect(all.slice(11)).toEqual([0, 0, 0, 0]);
  });

  it('begins anew after a restart of the server', () => {
    const rate = new CounterRate();
    expect([9000, 9500, 10, 60].map((value, second) => rate.read(second * 1000, value))).toEqual([
      undefined,
      500,
      undefined,
      50,
    ]);
  });

  it('goes by the moments at which the server counted, where it says so', () => {
    const rate = new CounterRate({ periodMs: 5000 });
    const all = Array.from({ length: 20 }, (_, second) => {
      const countedMs = Math.floor((second * 1000 + 400) / 3000) * 3000;
      return rate.read(second * 1000 + 400, countedMs, countedMs);
    });
    expect(new Set(all.slice(7))).toEqual(new Set([1000]));
  });
});
