import { describe, expect, it } from 'vitest';
import { FrameClock } from './frameClock';

/** Presents frames every 40 ms from `fromMs` to `toMs` inclusive; returns the next counter. */
function play(clock: FrameClock, fromMs: number, toMs: number, presented: number): number {
  let count = presented;
  for (let timeMs = fromMs; timeMs <= toMs; timeMs += 40) {
    clock.frame(timeMs, count);
    count += 1;
  }
  return count;
}

describe('FrameClock', () => {
  it('returns the frame rate whenever it is read', () => {
    const clock = new FrameClock();
    let count = play(clock, 0, 960, 1);
    expect(clock.look(1013).fps).toBeCloseTo(25);
    count = play(clock, 1000, 2040, count);
    expect(clock.look(2041).fps).toBeCloseTo(25);
    expect(count).toBe(53);
  });

  it('has no rate before the first frames', () => {
    const clock = new FrameClock();
    expect(clock.look(1000)).toEqual({ fps: undefined, ended: [], open: undefined, stalledMs: 0 });
    expect(clock.stalls).toBe(0);
  });

  it('counts a gap of 500 ms as a stall and one of 499 ms as none', () => {
    const clock = new FrameClock();
    clock.frame(0, 1);
    clock.frame(499, 2);
    expect(clock.look(600).ended).toEqual([]);
    clock.frame(999, 3);
    expect(clock.look(1000)).toMatchObject({ ended: [{ startMs: 499, lengthMs: 500 }], stalledMs: 500 });
    expect(clock.stalls).toBe(1);
  });

  it('counts a stall across several reads once, and each of its ms once', () => {
    const clock = new FrameClock();
    play(clock, 0, 400, 1);
    const first = clock.look(1000);
    expect(first.open).toEqual({ startMs: 400, lengthMs: 600 });
    const second = clock.look(2000);
    expect(second.fps).toBe(0);
    clock.frame(2600, 12);
    const third = clock.look(3000);
    expect(third.ended).toEqual([{ startMs: 400, lengthMs: 2200 }]);
    expect([first, second, third].map(({ stalledMs }) => stalledMs)).toEqual([600, 1000, 600]);
    expect(clock.stalls).toBe(1);
  });

  it('does not let a stall lower the rate of later seconds', () => {
    const clock = new FrameClock();
    let count = play(clock, 0, 400, 1);
    clock.look(1000);
    clock.look(2000);
    count = play(clock, 2040, 3000, count);
    expect(clock.look(3000).fps).toBeCloseTo(25);
    expect(count).toBe(37);
  });

  it('uses the counter of presented frames if the callback is late', () => {
    const clock = new FrameClock();
    clock.frame(0, 1);
    clock.frame(900, 24);
    expect(clock.look(1000)).toMatchObject({ ended: [], stalledMs: 0 });
    expect(clock.stalls).toBe(0);
  });

  it('still finds a stall in a late callback that too few frames explain', () => {
    const clock = new FrameClock();
    clock.frame(0, 1);
    clock.frame(1200, 3);
    expect(clock.look(1300).ended).toEqual([{ startMs: 0, lengthMs: 1100 }]);
  });

  it('finds a stall whose end is reported together with the late frames after it', () => {
    const clock = new FrameClock();
    const count = play(clock, 0, 2000, 1);
    clock.look(2010);
    expect(clock.look(2700).open).toBeDefined();
    // Nothing for 700 ms, then four frames: on average 205 ms each.
    clock.frame(2820, count + 3);
    expect(clock.look(3000)).toMatchObject({ ended: [{ startMs: 2000, lengthMs: 700 }], open: undefined });
    expect(clock.stalls).toBe(1);
  });

  it('discards an open stall if frames were presented after all', () => {
    const clock = new FrameClock();
    clock.frame(0, 1);
    expect(clock.look(900).open).toBeDefined();
    expect(clock.stalls).toBe(1);
    clock.frame(910, 23);
    expect(clock.look(1000).ended).toEqual([]);
    expect(clock.stalls).toBe(0);
  });

  it('leaves an open gap to the next read if this thread was busy', () => {
    const clock = new FrameClock();
    clock.frame(0, 1);
    expect(clock.look(900, false)).toEqual({ fps: undefined, ended: [], open: undefined, stalledMs: 0 });
  });

  it('ignores a gap while hidden', () => {
    const clock = new FrameClock();
    clock.frame(0, 1);
    clock.forget();
    expect(clock.look(5000).open).toBeUndefined();
    clock.frame(9000, 2);
    expect(clock.look(9100).ended).toEqual([]);
  });
});

it('reports no rate of a burst, and counts it in the next second', () => {
  const clock = new FrameClock();
  clock.frame(990, 1);
  clock.frame(990.8, 2);
  expect(clock.look(1000, true).fps).toBeUndefined();
  clock.frame(1990, 27);
  expect(clock.look(2000, true).fps).toBe(26);
});
