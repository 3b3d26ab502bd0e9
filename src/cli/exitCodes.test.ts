import { expect, it } from 'vitest';
import type { VerdictName } from '../domain/model/run';
import { testFigures } from '../../tests/support/savedRun';
import { exitCodeOf, worstCode } from './exitCodes';

const codeOf = (verdict: VerdictName | undefined, connectedPeak: number, inconclusive = 3): number =>
  exitCodeOf(
    {
      figures: { ...testFigures, connectedPeak },
      ...(verdict && { verdict: { verdict, sentence: '', reasons: [], headroom: [] } }),
    },
    inconclusive,
  );

it('differs for each verdict, and for a run without a viewer', () => {
  expect([codeOf('pass', 9), codeOf('fail', 9), codeOf('inconclusive', 9), codeOf('stopped', 9)]).toEqual([
    0, 1, 3, 130,
  ]);
  expect([codeOf('inconclusive', 0), codeOf('stopped', 0), codeOf('fail', 0)]).toEqual([2, 130, 1]);
  expect([codeOf('interrupted', 9), codeOf(undefined, 9)]).toEqual([3, 3]);
  expect(codeOf('inconclusive', 9, 0)).toBe(0);
  expect(codeOf('inconclusive', 0, 0)).toBe(2);
  expect(codeOf('not-started', 9, 0)).toBe(2);
});

it('of several runs is the most severe', () => {
  expect(worstCode([])).toBe(2);
  expect(worstCode([0, 0])).toBe(0);
  expect(worstCode([0, 3, 0])).toBe(3);
  expect(worstCode([77, 130, 0])).toBe(130);
  expect(worstCode([130, 1, 3])).toBe(1);
  expect(worstCode([1, 2, 130])).toBe(2);
});
