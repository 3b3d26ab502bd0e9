import { expect, it } from 'vitest';
import { arrivalTimeMs, emptyFigures, nextFigures } from './figures';
import { pullSampleWith } from '../../../tests/support/pullSample';

const arriving = pullSampleWith({
  state: 'ramping-up',
  waiting: 40,
  connecting: 10,
  connected: 50,
  degraded: 1,
  present: 60,
});

it('adds up the testers', () => {
  const figures = nextFigures(emptyFigures(0, 200), {
    timeMs: 1,
    requested: 200,
    jobs: [arriving, arriving],
  });
  expect(figures).toMatchObject({
    connected: 100,
    connecting: 20,
    degraded: 2,
    degradedPercentPeak: 2,
    rateTarget: 100,
    rateAchieved: 96,
  });
  expect(figures.fullInMs).toBe(Math.round((100 / 96) * 1000));
});

it('keeps peaks and the time to all connected', () => {
  const start = emptyFigures(0, 100);
  const full = nextFigures(start, {
    timeMs: 3000,
    requested: 100,
    jobs: [pullSampleWith({ timeMs: 2900 })],
    firstArrivalMs: 400,
  });
  expect(full.timeToAllMs).toBe(2500);
  const left = nextFigures(full, {
    timeMs: 9000,
    requested: 100,
    jobs: [pullSampleWith({ state: 'ended', connected: 0, present: 0, timeMs: 8900 })],
    firstArrivalMs: 400,
  });
  expect(left).toMatchObject({
    connected: 0,
    connectedPeak: 100,
    timeToAllMs: 2500,
    rateAchieved: 48,
    present: 0,
  });
});

it('drops the time to all connected when another pull is added', () => {
  const full = { ...emptyFigures(0, 100), timeToAllMs: 2500 };
  expect(
    nextFigures(full, { timeMs: 1, requested: 150, jobs: [pullSampleWith()], firstArrivalMs: 0 }).timeToAllMs,
  ).toBeUndefined();
});

it('has no figures that the origin does not report', () => {
  const figures = nextFigures(emptyFigures(0, 1), { timeMs: 1, requested: 1, jobs: [], origin: {} });
  expect(figures.originViewers).toBeUndefined();
});

it('takes the time to all connected from the viewers themselves, if all connected', () => {
  const viewers = [
    { arrivedMs: 1000, connectMs: 90 },
    { arrivedMs: 1400, connectMs: 41.4 },
    { arrivedMs: 1390, connectMs: 70 },
  ];
  expect(arrivalTimeMs(viewers)).toBe(460);
  expect(arrivalTimeMs([...viewers, { arrivedMs: 1500 }])).toBeUndefined();
  expect(arrivalTimeMs([])).toBeUndefined();
});

it('adds up the rates of the ramping parts of an audience, without a time to all connected', () => {
  const holding = pullSampleWith({ state: 'holding' });
  const figures = nextFigures(emptyFigures(0, 150), {
    timeMs: 1,
    requested: 150,
    jobs: [holding, arriving],
    firstArrivalMs: 0,
    isControlled: true,
  });
  expect(figures).toMatchObject({ connected: 150, rateTarget: 50, rateAchieved: 48 });
  expect(figures.timeToAllMs).toBeUndefined();
  const later = nextFigures(figures, { timeMs: 2, requested: 150, jobs: [holding], isControlled: true });
  expect(later.rateTarget).toBe(50);
});
