import { expect, it } from 'vitest';
import { limitSentence, withBottleneck } from './limitText';
import { StepSearch } from './stepSearch';
import { seeded, simulate } from '../../../tests/support/searchSimulation';

const search = {
  fromViewers: 7,
  maxViewers: 140,
  settleMs: 5000,
  measureMs: 10_000,
  repeats: 1,
  precisionPercent: 3,
};

it('adds rooms one by one until one does not become stable', () => {
  const { found, targets } = simulate(search, { ceiling: 33, roomSize: 7 }, seeded(1));
  expect(targets.map(({ viewers, grain }) => [viewers, grain])).toEqual([7, 14, 21, 28, 35].map((each) => [each, 7]));
  expect(targets[1]?.sentence).toBe('Limit search: trying 2 rooms of 7');
  expect(found).toMatchObject({ state: 'found', maxMet: 28, minMissed: 35, roomSize: 7 });
  expect(found.sentence).toBe('4 rooms of 7 were stable (28 participants), 5 rooms of 7 were not.');
  expect(withBottleneck(found, { what: 'origin-cpu', sentence: '', timeMs: 0 }).sentence).toContain(
    '; bottleneck: CPU of the origin.',
  );
});

it('ends at the largest number of rooms, or with none', () => {
  expect(simulate({ ...search, maxViewers: 21 }, { ceiling: 90, roomSize: 7 }, seeded(1)).found.sentence).toBe(
    'At least 3 rooms of 7; no limit reached.',
  );
  expect(simulate(search, { ceiling: 5, roomSize: 7 }, seeded(1)).found.sentence).toBe('Limit below 1 room of 7.');
});

it('names what passed while it searches', () => {
  const found = { state: 'searching', maxMet: 14, roomSize: 7, repeats: 0, trials: [] as [], now: undefined } as const;
  const trial = { viewers: 14, repeat: 1, fromMs: 0, toMs: 1, result: 'met', sentence: '' } as const;
  expect(limitSentence({ ...found, trials: [trial] })).toBe('2 rooms of 7 passed, more were not tried yet.');
});

it('names the rooms that were not stable in most attempts, and none that were not tried', () => {
  const ascent = new StepSearch(search, { firstViewers: 7 }, undefined, 7);
  ascent.decided({ result: 'met', isDisputed: false }, 0.9);
  ascent.decided({ result: 'missed', isDisputed: true }, 1);
  ascent.recovered(true);
  expect(ascent.step).toEqual({ kind: 'found', bracket: { maxMet: 7, minMissed: 14 } });
});

it('repeats with full rooms only', () => {
  const { found, targets } = simulate({ ...search, repeats: 3 }, { ceiling: 50, roomSize: 7 }, seeded(1));
  expect(targets.every(({ viewers }) => viewers % 7 === 0)).toBe(true);
  expect(found).toMatchObject({ maxMet: 49, minMissed: 56, repeats: 3 });
});
