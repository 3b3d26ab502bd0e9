import { describe, expect, it } from 'vitest';
import { ContextClock } from './patternSound';

/** A second of readings each 13 ms of a context that renders 10 ms at once, with a gap of 500 ms between the clocks. */
function note(clock: ContextClock, fromMs: number, gapMs = 500): void {
  for (let nowMs = fromMs; nowMs < fromMs + 1000; nowMs += 13) clock.note(nowMs, Math.floor((nowMs - gapMs) / 10) * 10);
}

describe('context clock', () => {
  it('finds the time of the blocks between them, once there are two periods', () => {
    const clock = new ContextClock();
    note(clock, 1000);
    expect(clock.next()).toBeUndefined();
    note(clock, 2000);
    expect(clock.next()).toBeCloseTo(500, 0);
  });

  it('returns nothing until an interruption is over', () => {
    const clock = new ContextClock();
    note(clock, 1000);
    clock.next();
    note(clock, 2000, 540);
    expect(clock.next()).toBeUndefined();
    note(clock, 3000, 540);
    expect(clock.next()).toBeCloseTo(540, 0);
  });

  it('returns nothing without readings', () => {
    const clock = new ContextClock();
    clock.next();
    expect(clock.next()).toBeUndefined();
  });
});
