import { expect, it } from 'vitest';
import { audienceValues, failureGroups, withoutPlayers } from './audience';
import { Histogram } from '../../domain/distribution/histogram';
import { pullSampleWith } from '../../../tests/support/pullSample';

it('adds counts, and has the percentiles of all viewers, not of their testers', () => {
  const values = audienceValues(
    [
      pullSampleWith({
        connected: 300,
        distributions: {
          frameRate: Histogram.of(Array<number>(300).fill(25)),
          jitterMs: Histogram.of(Array<number>(300).fill(1)),
        },
        lossPercent: 0,
        packetsPerSecond: 900,
      }),
      pullSampleWith({
        connected: 100,
        distributions: {
          frameRate: Histogram.of([19, ...Array<number>(99).fill(21)]),
          jitterMs: Histogram.of([...Array<number>(90).fill(1), ...Array<number>(10).fill(3)]),
        },
        lossPercent: 4,
        packetsPerSecond: 100,
      }),
    ],
    400,
  );
  expect(values).toMatchObject({
    viewersRequested: 400,
    viewersConnected: 400,
    packetsPerSecond: 1000,
    frameRateMin: 19,
    jitterMaxMs: 3,
  });
  expect(values.frameRate).toBeCloseTo(25, 0);
  expect(values.frameRateP5).toBeCloseTo(21, 0);
  // 10 of 400 viewers: not the 3 ms that one tester's 95th percentile is.
  expect(values.jitterP95Ms).toBeCloseTo(1, 1);
  expect(values.lossPercent).toBeCloseTo(0.4);
});

it('omits missing values', () => {
  const values = audienceValues([pullSampleWith()], 100);
  expect(values).not.toHaveProperty('connectP50Ms');
  expect(values).not.toHaveProperty('lossPercent');
  expect(values).not.toHaveProperty('arrivalRateAchieved');
});

it('reports the connection rate during the ramp', () => {
  expect(audienceValues([pullSampleWith({ state: 'ramping-up' })], 10)).toMatchObject({
    arrivalRateTarget: 50,
    arrivalRateAchieved: 48,
  });
});

it('groups equal failures and orders them by stage', () => {
  const example = { viewer: 1, timeMs: 1, detail: 'x' };
  const groups = failureGroups([
    {
      tester: 'a',
      sample: pullSampleWith({
        failures: [
          { stage: 'ice', cause: 'timeout', count: 2, example },
          { stage: 'signalling', cause: 'http-404', count: 1, example },
        ],
      }),
    },
    {
      tester: 'a',
      sample: pullSampleWith({ failures: [{ stage: 'ice', cause: 'timeout', count: 5, example }] }),
    },
  ]);
  expect(groups.map(({ stage, cause, count }) => [stage, cause, count])).toEqual([
    ['signalling', 'http-404', 1],
    ['ice', 'timeout', 7],
  ]);
});

it("does not count the console's own players as viewers", () => {
  expect(withoutPlayers({ originViewers: 3, cpuPercent: 5 }, 1)).toEqual({ originViewers: 2, cpuPercent: 5 });
  // The server's count may be older than the player.
  expect(withoutPlayers({ originViewers: 0 }, 1)).toEqual({ originViewers: 0 });
  expect(withoutPlayers({ cpuPercent: 5 }, 1)).toEqual({ cpuPercent: 5 });
});
