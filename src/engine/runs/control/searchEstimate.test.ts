import { describe, expect, it } from 'vitest';
import type { PlanSearch } from '../../../domain/model/audienceValues';
import { estimateSearch } from '../../../domain/duration/searchEstimate';
import { seeded, simulate } from '../../../../tests/support/searchSimulation';

const usual: PlanSearch = {
  fromViewers: 20,
  maxViewers: 1000,
  settleMs: 5000,
  measureMs: 10_000,
  repeats: 3,
  precisionPercent: 3,
};
/** The ramp rate of the simulation. */
const ratePerSecond = 100;

function simulated(search: PlanSearch): { trials: number; ms: number } {
  const random = seeded(11);
  const many = 300;
  let [trials, ms] = [0, 0];
  for (let i = 0; i < many; i += 1) {
    const ceiling = Math.round(search.fromViewers * (search.maxViewers / search.fromViewers) ** random());
    const { found, tookMs } = simulate(search, { ceiling }, random);
    trials += found.trials.length / many;
    ms += tookMs / many;
  }
  return { trials, ms };
}

describe('the duration estimate of a search', () => {
  it.each([
    ['default', {}],
    ['one repeat', { repeats: 1 }],
    ['many repeats, precise', { repeats: 8, precisionPercent: 1 }],
    ['long measurements of few viewers', { fromViewers: 1, maxViewers: 40, settleMs: 20_000, measureMs: 60_000 }],
    ['a wide range, coarse', { fromViewers: 10, maxViewers: 5000, precisionPercent: 20 }],
  ] as const)('matches the average of simulated searches: %s', (_, change) => {
    const search = { ...usual, ...change };
    const expected = simulated(search);
    const { trials, ms } = estimateSearch(search, ratePerSecond);
    expect(Math.abs(trials - expected.trials) / expected.trials).toBeLessThan(0.15);
    expect(Math.abs(ms - expected.ms) / expected.ms).toBeLessThan(0.15);
  });

  it('is longer at a low ramp rate', () => {
    expect(estimateSearch(usual, 2).ms).toBeGreaterThan(2 * estimateSearch(usual, 100).ms);
  });
});
