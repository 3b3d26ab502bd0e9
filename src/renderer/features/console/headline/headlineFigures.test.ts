import { describe, expect, it } from 'vitest';
import type { Phase, RunView } from '../../../../domain/model/run';
import { degradedFigure, endNote, phaseChip, rateIsBehind, viewersSide } from './headlineFigures';

const figures = {
  connecting: 9,
  connected: 742,
  degraded: 23,
  degradedPeak: 38,
  degradedPercentPeak: 14.6,
  rateTarget: 10,
  rateAchieved: 4.6,
  originViewers: 740,
  originDegraded: 19,
} as RunView['figures'];
const plan = { expect: { degraded: { comparison: '<=', value: 1 } } } as RunView['plan'];
const ramp: Phase = { name: 'ramp', startMs: 0, endMs: 10 };

describe('headline', () => {
  it('names the phase, counted when there are several of its kind', () => {
    expect(phaseChip({ state: 'preparing', phases: [] })).toBe('preparing');
    expect(phaseChip({ state: 'running', phases: [{ name: 'ramp', startMs: 0 }] })).toBe('ramp');
    const phases: Phase[] = [ramp, { name: 'hold', startMs: 10, endMs: 20 }, { name: 'ramp', startMs: 20 }];
    expect(phaseChip({ state: 'running', phases })).toBe('ramp 2 of 2');
    expect(phaseChip({ state: 'stopping', phases })).toBe('stopping');
  });

  it('shows the count of the origin, if available', () => {
    expect(viewersSide({ figures })).toEqual(['9 connecting', 'origin counts 740']);
    expect(viewersSide({ figures: { ...figures, connecting: 0, originViewers: undefined } })).toEqual([]);
  });

  it('detects a connection rate below plan', () => {
    expect(rateIsBehind(figures)).toBe(true);
    expect(rateIsBehind({ ...figures, rateAchieved: 9.5 })).toBe(false);
    expect(rateIsBehind({ ...figures, rateTarget: 0, rateAchieved: 0 })).toBe(false);
  });

  it('shows current degraded viewers during the run, the peak afterwards', () => {
    expect(degradedFigure({ figures, plan, state: 'running' })).toEqual({
      count: 23,
      percent: '3.1 %',
      isOver: true,
      notes: ['limit 1 %', 'origin counts 19'],
    });
    expect(degradedFigure({ figures, plan, state: 'ended' })).toMatchObject({
      count: 38,
      percent: '14.6 %',
      notes: ['limit 1 %'],
    });
    const noViewers = { ...figures, connected: 0, degraded: 0 };
    expect(degradedFigure({ figures: noViewers, plan, state: 'running' })).toMatchObject({
      isOver: false,
      count: 0,
    });
  });

  it('shows the time left', () => {
    expect(endNote({ startedMs: 0, endsMs: 300_000 }, 124_000)).toEqual(['≈ 2:56 left', 'of 5:00']);
    expect(endNote({ startedMs: 0 }, 124_000)).toEqual(['until stopped']);
    expect(endNote({ startedMs: 0, endsMs: 1000 }, 5000)).toEqual(['≈ 0:00 left', 'of 0:01']);
  });
});
