import { expect, it } from 'vitest';
import type { RunFigures } from '../../domain/run';
import { sourcePairs } from './twoSources';

const figures: RunFigures = {
  timeMs: 0,
  requested: 1000,
  connecting: 9,
  connected: 742,
  connectedPeak: 742,
  failed: 4,
  degraded: 23,
  degradedPeak: 23,
  degradedPercentPeak: 3.1,
  present: 751,
  rateAsked: 10,
  rateAchieved: 4.6,
  originViewers: 740,
  originDegraded: 19,
  originOutMbps: 278.6,
  mediaInMbps: 278.1,
  packetsPerSecond: 30_000,
};

it('holds the audience against the origin', () => {
  const [viewers, degraded, bitrate] = sourcePairs(figures);
  expect(viewers?.differ?.value).toBeCloseTo(0.27, 2);
  expect(degraded?.differ).toEqual({ value: 4, unit: '' });
  expect(bitrate?.differ?.value).toBeCloseTo(0.18, 2);
});

it('knows no difference where the origin does not answer', () => {
  const silent = {
    ...figures,
    originViewers: undefined,
    originDegraded: undefined,
    originOutMbps: undefined,
  };
  for (const pair of sourcePairs(silent)) {
    expect(pair.audience).toBeDefined();
    expect(pair.origin).toBeUndefined();
    expect(pair.differ).toBeUndefined();
  }
});

it('knows nothing without a run, and no difference between nothing and nothing', () => {
  for (const pair of sourcePairs(undefined))
    expect(pair.audience ?? pair.origin ?? pair.differ).toBeUndefined();
  const empty = { ...figures, connected: 0, originViewers: 0 };
  expect(sourcePairs(empty)[0]?.differ).toEqual({ value: 0, unit: '%' });
});
