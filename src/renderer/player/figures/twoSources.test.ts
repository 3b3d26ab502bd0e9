import { describe, expect, it } from 'vitest';
import type { RunFigures, RunView } from '../../../domain/model/run';
import type { NodeView } from '../../../domain/model/node';
import type { SeriesId } from '../../../domain/series/series';
import { SampleStore } from '../../charts/sampleStore';
import { mediaCompared, sourcePairs } from './twoSources';

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
  rateTarget: 10,
  rateAchieved: 4.6,
  originViewers: 740,
  originDegraded: 19,
  originOutMbps: 278.6,
  mediaInMbps: 278.1,
  packetsPerSecond: 30_000,
};

it('compares testers with the origin', () => {
  const media = { audience: 278.1, origin: 278.6, seconds: 10 };
  const [viewers, degraded, bitrate] = sourcePairs(figures, media);
  expect(viewers?.differ?.value).toBeCloseTo(0.27, 2);
  expect(degraded?.differ).toEqual({ value: 4, unit: '' });
  expect(bitrate?.differ?.value).toBeCloseTo(0.18, 2);
});

it('has no difference if the origin does not respond', () => {
  const unresponsive = {
    ...figures,
    originViewers: undefined,
    originDegraded: undefined,
    originOutMbps: undefined,
  };
  const [viewers, degraded, bitrate] = sourcePairs(unresponsive, undefined);
  expect(bitrate?.audience).toBeUndefined();
  for (const pair of [viewers, degraded]) {
    if (!pair) throw new Error('a row is missing');
    expect(pair.audience).toBeDefined();
    expect(pair.origin).toBeUndefined();
    expect(pair.differ).toBeUndefined();
  }
});

it('has no values without a run, and no difference between two missing values', () => {
  for (const pair of sourcePairs(undefined, undefined))
    expect(pair.audience ?? pair.origin ?? pair.differ).toBeUndefined();
  const empty = { ...figures, connected: 0, originViewers: 0 };
  expect(sourcePairs(empty, undefined)[0]?.differ).toEqual({ value: 0, unit: '%' });
});

describe('media sent and received', () => {
  const node = (id: string, role: NodeView['role']): NodeView => ({
    ...{ id, name: id, role, colourSlot: 1, state: 'live', reach: '', host: id, streams: [] },
  });
  const run = {
    nodes: [node('lab', 'origin'), node('a', 'tester'), node('b', 'tester'), node('edge', 'origin')],
    plan: { pull: { from: 'lab', by: ['a', 'b'] }, publish: [] },
  } as unknown as RunView;
  const fill = (store: SampleStore, id: string, series: SeriesId, each: (second: number) => number, to = 30) => {
    for (let second = 0; second < to; second += 1)
      store.append({
        keys: [{ node: id, series }],
        key: [0],
        // Each source samples at its own time within the second.
        timeMs: [second * 1000 + (series === 'originOutMbps' ? 100 : 600)],
        value: [each(second)],
      });
  };

  it('are compared over the same ten seconds, so keyframes make no difference', () => {
    const store = new SampleStore();
    // A keyframe every 2 s is counted by the origin a second before the testers receive it.
    fill(store, 'lab', 'originOutMbps', (second) => (second % 2 === 0 ? 12 : 8));
    fill(store, 'edge', 'originOutMbps', () => 700);
    fill(store, 'a', 'mediaInMbps', (second) => (second % 2 === 0 ? 4 : 6));
    fill(store, 'b', 'mediaInMbps', (second) => (second % 2 === 0 ? 4 : 6));
    const media = mediaCompared(run, store);
    expect(media?.seconds).toBe(10);
    const [, , bitrate] = sourcePairs({ ...figures, mediaInMbps: 8, originOutMbps: 12 }, media);
    expect(bitrate?.name).toBe('Mbit/s, mean of 10 s');
    expect(bitrate?.audience).toBeCloseTo(10, 6);
    expect(bitrate?.differ?.value).toBeLessThan(4);
  });

  it('cover the same seconds during ramp-up, though the sources sample some ms apart', () => {
    const store = new SampleStore();
    // As reported by the lab and its tester for 100 viewers that connected in two seconds.
    const sent = [0.1, 0.1, 3.8, 9.3, 12.7, 13.1, 12.8, 12.7];
    const received = [3.8, 9.2, 12.5, 13.0, 12.7, 12.6];
    const append = (node: string, series: SeriesId, times: readonly number[], value: readonly number[]) =>
      store.append({
        keys: [{ node, series }],
        key: times.map(() => 0),
        timeMs: [...times],
        value: [...value],
      });
    append('lab', 'originOutMbps', [7258, 8258, 9258, 10258, 11257, 12257, 13258, 14258], sent);
    append('a', 'mediaInMbps', [9281, 10279, 11280, 12279, 13276, 14285], received);
    const media = mediaCompared(run, store);
    expect(media?.seconds).toBe(6);
    const [, , bitrate] = sourcePairs(figures, media);
    expect(bitrate?.differ?.value).toBeLessThan(2);
  });

  it('are unknown before five seconds, or if one of them is not measured', () => {
    const store = new SampleStore();
    fill(store, 'a', 'mediaInMbps', () => 5);
    fill(store, 'b', 'mediaInMbps', () => 5);
    expect(mediaCompared(run, store)).toBeUndefined();
    fill(store, 'lab', 'originOutMbps', () => 10, 3);
    expect(mediaCompared(run, store)).toBeUndefined();
    fill(store, 'lab', 'originOutMbps', () => 10, 7);
    expect(mediaCompared(run, store)?.origin).toBe(10);
  });
});
