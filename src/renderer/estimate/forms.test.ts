import { describe, expect, it } from 'vitest';
import { estimatePlan } from '../../domain/estimate/estimatePlan';
import { defaultExpectations, type Plan } from '../../domain/plan/plan';
import { readSmallLoad, smallLoadSentences } from './smallLoad';
import { firstWhatIf, readWhatIf } from './whatIfForm';

describe('the fields of what if', () => {
  it('are as measured where they are empty', () => {
    expect(readWhatIf(firstWhatIf)).toEqual({ wish: { viewers: 1000 }, problems: {} });
  });

  it('take numbers with commas, and memory in GiB', () => {
    const { wish } = readWhatIf({
      viewers: '2,500',
      bitrate: '2000',
      cores: '16',
      nic: '10,000',
      memory: '32',
    });
    expect(wish).toEqual({
      viewers: 2500,
      bitrateKbps: 2000,
      cores: 16,
      nicMbps: 10_000,
      memoryBytes: 32 * 2 ** 30,
    });
  });

  it("say what can't be read, each at its field", () => {
    const { wish, problems } = readWhatIf({ ...firstWhatIf, viewers: '', cores: 'many', nic: '-1' });
    expect(wish).toBeUndefined();
    expect(Object.keys(problems)).toEqual(['viewers', 'cores', 'nic']);
    expect(readWhatIf({ ...firstWhatIf, viewers: '2,000,000,000' }).problems.viewers).toContain('1,000,000');
  });
});

describe('the small load', () => {
  it('is refused where it says nothing', () => {
    expect(readSmallLoad('4', '20').problem).toMatchObject({ field: 'most' });
    expect(readSmallLoad('12.5', '20').problem).toMatchObject({ field: 'most' });
    expect(readSmallLoad('100', '9').problem).toMatchObject({ field: 'hold' });
    expect(readSmallLoad('100', '7200').problem).toMatchObject({ field: 'hold' });
    expect(readSmallLoad('1,000', '20').load).toEqual({ mostViewers: 1000, sizes: 5, holdMs: 20_000 });
  });

  it('says what it will do before it does it', () => {
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
    const { load } = readSmallLoad('100', '20');
    expect(load && smallLoadSentences(estimatePlan(plan, load))).toEqual([
      '100 viewers of cam at most, from edge-1 by tester-1: 20 more at a time, each size held for 20 s. About 2 min in all, then everybody leaves.',
      'It gives up when more than 5 % of the viewers are degraded for 5 s, or more than 5 % of the viewers fail for 5 s, or the CPU of the origin is over 70 % for 5 s.',
    ]);
  });
});
