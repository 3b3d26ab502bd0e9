import { expect, it } from 'vitest';
import { viewOf } from '../../../tests/support/verdictRun';
import type { VerdictFinding } from '../../domain/model/run';
import { planExpectations } from './expectations';

it('has each expectation of the delay by itself', () => {
  const view = viewOf();
  const delay = [
    { stat: 'p50', valueMs: 200 },
    { stat: 'p95', valueMs: 500 },
  ] as const;
  const expectations = planExpectations({ ...view, plan: { ...view.plan, delay } }).filter(({ id }) => id === 'delay');
  expect(expectations.map(({ name, comparison, value, unit }) => [name, comparison, value, unit])).toEqual([
    ['delay p50 <= 200 ms', '<=', 200, 'ms'],
    ['delay p95 <= 500 ms', '<=', 500, 'ms'],
  ]);
  const finding: VerdictFinding = {
    ...{ result: 'met', series: 'captureDelayP95Ms', sentence: 'x', expected: 'expected p95 <= 500 ms', timeMs: 0 },
  };
  expect(expectations.map(({ matches }) => matches(finding))).toEqual([false, true]);
});
