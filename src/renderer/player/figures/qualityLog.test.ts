import { expect, it } from 'vitest';
import { QualityLog } from './qualityLog';

it('converts stalls to wall clock time and replaces an open one by its end', () => {
  const log = new QualityLog(50_000);
  log.add(60_000, 7000, 12, { fps: 12, ended: [], open: { startMs: 6400, lengthMs: 600 }, stalledMs: 600 });
  expect(log.history().stalls).toEqual([{ startMs: 59_400, lengthMs: 600, open: true }]);
  log.add(61_000, 8000, 20, {
    fps: 20,
    ended: [{ startMs: 6400, lengthMs: 800 }],
    open: undefined,
    stalledMs: 200,
  });
  log.add(62_000, 9000, undefined);
  expect(log.history()).toEqual({
    startMs: 50_000,
    seconds: [
      { timeMs: 59_000, fps: 12 },
      { timeMs: 60_000, fps: 20 },
      { timeMs: 61_000, fps: undefined },
    ],
    stalls: [{ startMs: 59_400, lengthMs: 800, open: false }],
  });
});

it('keeps five minutes', () => {
  const log = new QualityLog(0);
  const seen = { fps: 20, ended: [{ startMs: 1400, lengthMs: 600 }], open: undefined, stalledMs: 600 };
  for (let second = 1; second <= 400; second += 1)
    log.add(second * 1000, second * 1000, 25, second === 2 ? seen : undefined);
  const { seconds, stalls } = log.history();
  expect(seconds).toHaveLength(300);
  expect(seconds.at(-1)?.timeMs).toBe(399_000);
  expect(stalls).toEqual([]);
});
