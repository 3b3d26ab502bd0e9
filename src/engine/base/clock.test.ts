import { beforeEach, describe, expect, it } from 'vitest';
import { VirtualTime } from '../../../tests/support/virtualTime';
import { afterReading, every, inTime, sleep, SteadyClock, timeoutSignal, waitUntil } from './clock';

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

describe('waits in virtual time', () => {
  let time: VirtualTime;
  /** What has happened, with the ms that had passed. */
  let news: Array<readonly [string, number]>;
  const note = (what: string) => (): void => void news.push([what, time.clock.monotonic()]);
  beforeEach(() => {
    time = new VirtualTime();
    news = [];
  });

  it('sleep until their time, or until they are aborted', async () => {
    const stop = new AbortController();
    void sleep(time.clock, 3000).then(note('slept'));
    void sleep(time.clock, 3000, stop.signal).then(note('aborted'));
    await time.pass(1000);
    stop.abort();
    await time.pass(3000);
    expect(news).toEqual([
      ['aborted', 1000],
      ['slept', 3000],
    ]);
  });

  it('repeat until they are cancelled', async () => {
    const cancel = every(time.clock, 400, note('again'));
    await time.pass(1000);
    cancel();
    await time.pass(5000);
    expect(news.map(([, ms]) => ms)).toEqual([400, 800]);
  });

  it('have their result in time, or none', async () => {
    const late = inTime(
      time.clock,
      sleep(time.clock, 2000).then(() => 'late'),
      1000,
    );
    const early = inTime(
      time.clock,
      sleep(time.clock, 500).then(() => 'early'),
      1000,
    );
    const failed = inTime(time.clock, Promise.reject(new Error('refused')), 1000);
    await time.pass(1000);
    expect(await Promise.all([late, early, failed])).toEqual([undefined, 'early', undefined]);
  });

  it('poll a condition up to their limit', async () => {
    let isThere = false;
    time.clock.after(320, () => (isThere = true));
    const found = waitUntil(time.clock, () => isThere, 1000);
    const missed = waitUntil(time.clock, () => false, 1000).then((result) => {
      note('missed')();
      return result;
    });
    await time.pass(2000);
    expect(await Promise.all([found, missed])).toEqual([true, false]);
    expect(news).toEqual([['missed', 1000]]);
  });

  it('leave a second to read what arrived while the process was stopped', async () => {
    afterReading(time.clock, 2000, note('undisturbed'));
    await time.pass(2000);
    afterReading(time.clock, 2000, note('late'));
    const cancel = afterReading(time.clock, 2000, note('cancelled'));
    await time.suspend(15_000);
    expect(news).toEqual([['undisturbed', 2000]]);
    cancel();
    await time.pass(1000);
    expect(news).toEqual([
      ['undisturbed', 2000],
      ['late', 18_000],
    ]);
  });

  it('abort a request', async () => {
    const signal = timeoutSignal(time.clock, 3000);
    await time.pass(2999);
    expect(signal.aborted).toBe(false);
    await time.pass(1);
    expect(signal.reason).toMatchObject({ name: 'TimeoutError' });
  });
});
