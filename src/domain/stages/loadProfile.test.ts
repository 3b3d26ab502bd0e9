import { describe, expect, it } from 'vitest';
import type { PlanStage } from '../model/audienceValues';
import { segmentsOf, peakArrivalRate, levelAt, maxViewers, segmentAt, totalTimeMs } from './loadProfile';

const seeds: readonly PlanStage[] = [
  { kind: 'ramp', viewers: 500, overMs: 30_000 },
  { kind: 'hold', forMs: 120_000 },
  { kind: 'step', viewers: 1600, by: 500, holdMs: 60_000, ratePerSecond: 100 },
  { kind: 'spike', viewers: 2000, forMs: 20_000, ratePerSecond: 200 },
  { kind: 'churn', forMs: 300_000, replacePercent: 10, everyMs: 3000, ratePerSecond: 500 },
  { kind: 'ramp', viewers: 0, overMs: 16_000 },
];

describe('the load profile of stages', () => {
  const stageSegments = segmentsOf(seeds);

  it('has no gaps between stages', () => {
    const brief = stageSegments.map(({ kind, of, fromViewers, toViewers, fromMs, toMs }) =>
      [kind, of, `${fromViewers}-${toViewers}`, toMs - fromMs].join(' '),
    );
    expect(brief).toEqual([
      'ramp ramp 0-500 30000',
      'hold hold 500-500 120000',
      'ramp step 500-1000 5000',
      'hold step 1000-1000 60000',
      'ramp step 1000-1500 5000',
      'hold step 1500-1500 60000',
      'ramp step 1500-1600 1000',
      'hold step 1600-1600 60000',
      'ramp spike 1600-2000 2000',
      'hold spike 2000-2000 20000',
      'churn churn 1600-1600 300000',
      'ramp ramp 1600-0 16000',
    ]);
    stageSegments.forEach((segment, i) => expect(segment.fromMs).toBe(stageSegments[i - 1]?.toMs ?? 0));
  });

  it('has the peak viewers, the peak arrival rate and the total time', () => {
    expect(maxViewers(stageSegments)).toBe(2000);
    expect(peakArrivalRate(stageSegments)).toBe(500);
    expect(peakArrivalRate(segmentsOf(seeds.slice(0, 2)))).toBeCloseTo(500 / 30);
    expect(peakArrivalRate(segmentsOf([...seeds.slice(0, 1), { kind: 'ramp', viewers: 0, overMs: 1 }]))).toBeCloseTo(
      500 / 30,
    );
    expect(totalTimeMs(stageSegments)).toBe(679_000);
  });

  it('has the level at any time', () => {
    expect(levelAt(stageSegments, 0)).toBe(0);
    expect(levelAt(stageSegments, 15_000)).toBe(250);
    expect(levelAt(stageSegments, 30_000)).toBe(500);
    expect(levelAt(stageSegments, 152_500)).toBe(750);
    expect(levelAt(stageSegments, 362_999)).toBe(2000);
    // The spike is over: all viewers above the earlier level disconnect at once.
    expect(levelAt(stageSegments, 363_000)).toBe(1600);
    expect(levelAt(stageSegments, 671_000)).toBe(800);
    expect(levelAt(stageSegments, 679_000)).toBe(0);
    expect(levelAt(stageSegments, -1)).toBe(0);
  });

  it('defines what a churn replaces, at least one viewer', () => {
    expect(segmentAt(stageSegments, 400_000)).toMatchObject({
      kind: 'churn',
      replace: 160,
      everyMs: 3000,
      stage: 4,
    });
    const few = segmentsOf([
      { kind: 'ramp', viewers: 3, overMs: 1000 },
      { kind: 'churn', forMs: 9000, replacePercent: 5, everyMs: 3000, ratePerSecond: 1 },
    ]);
    expect(few[1]?.replace).toBe(1);
  });

  it('supports steps down', () => {
    const down = segmentsOf([
      { kind: 'ramp', viewers: 100, overMs: 1000 },
      { kind: 'step', viewers: 30, by: 40, holdMs: 5000, ratePerSecond: 40 },
    ]);
    expect(down.slice(1).map(({ toViewers, toMs, fromMs }) => [toViewers, toMs - fromMs])).toEqual([
      [60, 1000],
      [60, 5000],
      [30, 750],
      [30, 5000],
    ]);
  });

  it('is empty without stages', () => {
    expect(segmentsOf([])).toEqual([]);
    expect([maxViewers([]), totalTimeMs([]), levelAt([], 0), peakArrivalRate([])]).toEqual([0, 0, 0, 0]);
  });
});
