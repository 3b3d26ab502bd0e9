import { describe, expect, it } from 'vitest';
import { estimatePlan } from '../../../domain/estimate/estimatePlan';
import { defaultExpectations, type Plan } from '../../../domain/model/plan';
import { readCalibration, calibrationSentences } from './calibration';
import { firstWhatIf, readWhatIf } from './whatIfForm';
import { pullPlan } from '../../../../tests/support/pullPlan';

describe('the what-if fields', () => {
  it('default to measured values', () => {
    expect(readWhatIf(firstWhatIf)).toEqual({ scenario: { viewers: 1000 }, problems: {} });
  });

  it('accept thousands separators, and memory in GiB', () => {
    const { scenario } = readWhatIf({
      viewers: '2,500',
      bitrate: '2000',
      cores: '16',
      nic: '10,000',
      memory: '32',
    });
    expect(scenario).toEqual({
      viewers: 2500,
      bitrateKbps: 2000,
      cores: 16,
      nicMbps: 10_000,
      memoryBytes: 32 * 2 ** 30,
    });
  });

  it('report invalid input at each field', () => {
    const { scenario, problems } = readWhatIf({ ...firstWhatIf, viewers: '', cores: 'many', nic: '-1' });
    expect(scenario).toBeUndefined();
    expect(Object.keys(problems)).toEqual(['viewers', 'cores', 'nic']);
    expect(readWhatIf({ ...firstWhatIf, viewers: '2,000,000,000' }).problems.viewers).toContain('1,000,000');
  });
});

describe('the calibration load', () => {
  it('is refused without usable sizes', () => {
    expect(readCalibration('4', '20').problem).toMatchObject({ field: 'most' });
    expect(readCalibration('12.5', '20').problem).toMatchObject({ field: 'most' });
    expect(readCalibration('100', '9').problem).toMatchObject({ field: 'hold' });
    expect(readCalibration('100', '7200').problem).toMatchObject({ field: 'hold' });
    expect(readCalibration('1,000', '20').load).toEqual({ maxViewers: 1000, sizes: 5, holdMs: 20_000 });
  });

  it('describes itself before the start', () => {
    const plan: Plan = {
      name: 'Pull 1000',
      nodes: {},
      publish: [],
      pull: {
        stream: 'cam',
        from: 'edge-1',
        by: ['tester-1'],
        protocol: 'whep',
        viewers: 1000,
        ratePerSecond: 200,
        holdMs: 1,
      },
      expect: defaultExpectations,
    };
    const { load } = readCalibration('100', '20');
    expect(load && calibrationSentences(estimatePlan(pullPlan(plan), load))).toEqual([
      'Up to 100 viewers of cam from edge-1 by tester-1, in steps of 20, each held for 20 s. Takes about 2 min, then all viewers disconnect.',
      'Stops early if more than 5 % of the viewers are degraded for 5 s, or more than 5 % of the viewers fail for 5 s, or the CPU of the origin is over 70 % for 5 s.',
    ]);
  });
});
