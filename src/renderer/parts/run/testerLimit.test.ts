import { describe, expect, it } from 'vitest';
import type { FailureGroup, TesterLimit } from '../../../domain/model/run';
import { testerLimitedIntervals, isTesterLimited, limitsOf, testerFailures } from './testerLimit';

const limit: TesterLimit = {
  node: 'tester-1',
  kind: 'cpu',
  fromMs: 70_000,
  viewers: 700,
  sentence: 'tester-1 ran out of CPU.',
  expected: '<= 90 %',
};
const over: TesterLimit = { ...limit, node: 'tester-2', fromMs: 40_000, toMs: 50_000 };

describe('hatched times', () => {
  it('are those of the limits, merged where they meet', () => {
    const third = { ...limit, fromMs: 85_000, toMs: 95_000 };
    expect(testerLimitedIntervals({ testerLimits: [{ ...limit, toMs: 90_000 }, over, third] })).toEqual([
      { fromMs: 40_000, toMs: 50_000, label: 'tester-limited' },
      { fromMs: 70_000, toMs: 95_000, label: 'tester-limited' },
    ]);
  });

  it('have no end while a limit lasts, and are empty without one', () => {
    expect(testerLimitedIntervals({ testerLimits: [limit, over] })).toEqual([
      { fromMs: 40_000, toMs: 50_000, label: 'tester-limited' },
      { fromMs: 70_000, label: 'tester-limited' },
    ]);
    expect(testerLimitedIntervals({ testerLimits: [] })).toEqual([]);
    expect(testerLimitedIntervals({})).toEqual([]);
  });
});

it('refers to now during the run, and to the entire run afterwards', () => {
  expect(isTesterLimited({ testerLimits: [limit], state: 'running' })).toBe(true);
  expect(isTesterLimited({ testerLimits: [over], state: 'running' })).toBe(false);
  expect(isTesterLimited({ testerLimits: [over], state: 'ended' })).toBe(true);
  expect(isTesterLimited({ state: 'ended' })).toBe(false);
  expect(limitsOf({ testerLimits: [limit, over], state: 'running' }, 'tester-2')).toEqual([]);
  expect(limitsOf({ testerLimits: [limit, over], state: 'ended' }, 'tester-2')).toEqual([over]);
  expect(limitsOf(undefined, 'tester-2')).toEqual([]);
});

it('counts failures caused by the tester', () => {
  const group: FailureGroup = {
    tester: 'tester-1',
    stage: 'ice',
    cause: 'tester-open-files',
    count: 3,
    example: { viewer: 1, timeMs: 0, detail: '' },
  };
  expect(testerFailures([group, { ...group, cause: 'timeout', count: 5 }, { ...group, stage: 'tcp' }])).toBe(6);
});
