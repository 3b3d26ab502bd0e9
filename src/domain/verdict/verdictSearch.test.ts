import { expect, it } from 'vitest';
import type { LimitResult } from '../model/limitFound';
import { searchVerdict } from './verdictSearch';

const result = (state: LimitResult['state']): { readonly limit: LimitResult } => ({
  limit: {
    state,
    sentence: 'No limit was found: other programs used 80 % of the CPU.',
    trials: [],
  } as unknown as LimitResult,
});

it.each(['unknown', 'tester-limited'] as const)(
  'a search that was stopped was stopped, whatever it lacked: %s',
  (state) => {
    expect(searchVerdict(result(state), 1000, [])).toEqual({
      ...{ verdict: 'stopped', sentence: 'Stopped before the search had a result.', reasons: [], headroom: [] },
      notes: [{ sentence: 'No limit was found: other programs used 80 % of the CPU.' }],
    });
    expect(searchVerdict(result(state), undefined, []).verdict).toBe('inconclusive');
  },
);

it('a result from before the stop counts', () => {
  expect(searchVerdict(result('found'), 1000, []).verdict).toBe('pass');
});
