import { expect, it } from 'vitest';
import { SteadyClock } from './clock';

function clockWhose(): { clock: SteadyClock; pass: (ms: number) => void; set: (byMs: number) => void } {
  let monotonicMs = 5000;
  let wallMs = 1_795_000_000_000;
  return {
    clock: new SteadyClock(
      () => monotonicMs,
      () => wallMs,
    ),
    pass: (ms) => {
      monotonicMs += ms;
      wallMs += ms;
    },
    set: (byMs) => {
      wallMs += byMs;
    },
  };
}

it.each([-3_600_000, -10_000, 10_000, 3_600_000])('advances steadily when the clock is set by %i ms', (byMs) => {
  const { clock, pass, set } = clockWhose();
  const startMs = clock.now();
  expect(startMs).toBe(clock.wall());
  pass(1000);
  set(byMs);
  expect(clock.now() - startMs).toBe(1000);
  expect(clock.step()).toBe(byMs);
  expect(clock.step()).toBe(0);
  pass(1000);
  expect(clock.now() - startMs).toBe(2000);
  expect(clock.wall() - startMs).toBe(2000 + byMs);
});

it('follows a clock step on request', () => {
  const { clock, set } = clockWhose();
  set(3_600_000);
  expect(clock.step()).toBe(3_600_000);
  clock.follow();
  expect(clock.now()).toBe(clock.wall());
  set(400);
  clock.follow();
  expect(clock.wall() - clock.now()).toBe(400);
});

it('does not treat a fast clock as a step', () => {
  const { clock, set } = clockWhose();
  for (let look = 0; look < 10; look += 1) {
    set(600);
    expect(clock.step()).toBe(0);
  }
});

it('ignores readings far apart, because the process was stopped between them', () => {
  let monotonicMs = 0;
  let leapMs = 0;
  const clock = new SteadyClock(
    () => (monotonicMs += leapMs),
    () => 1_795_000_000_000 + monotonicMs,
  );
  leapMs = 15_000;
  expect(clock.step()).toBe(0);
  leapMs = 0;
  expect(clock.step()).toBe(0);
});
