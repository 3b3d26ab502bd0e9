import { describe, expect, it } from 'vitest';
import type { PlanSearch } from '../../../domain/plan/plan';
import { mostTrials } from '../../../domain/search/limitSearch';
import { stoppedSearch } from '../../../domain/search/limitText';
import { searchDirector } from './searchDirector';
import { seeded, simulate, type MadeHouse } from './searchSimulation';

const search: PlanSearch = {
  fromViewers: 10,
  mostViewers: 2000,
  settleMs: 5000,
  measureMs: 10_000,
  repeats: 3,
  precisionPercent: 5,
};
const many = 1000;

/** Ceilings from 20 to 800, as many small ones as large ones. */
const ceilingOf = (random: () => number): number => Math.round(20 * 40 ** random());

interface Tally {
  /** Share of the ceilings that lie in the interval that was found. */
  readonly inside: number;
  /** Mean half width, as a share of the ceiling. */
  readonly width: number;
  readonly trials: number;
}

function tallyOf(seed: number, house: (random: () => number) => Omit<MadeHouse, 'ceiling'>): Tally {
  const random = seeded(seed);
  const tally = { inside: 0, width: 0, trials: 0 };
  for (let i = 0; i < many; i += 1) {
    const ceiling = ceilingOf(random);
    const { found } = simulate(search, { ceiling, ...house(random) }, random);
    const { viewers = -1, plusMinus = 0 } = found;
    if (found.state === 'found' && Math.abs(ceiling - viewers) <= plusMinus) tally.inside += 1 / many;
    tally.width += plusMinus / ceiling / many;
    tally.trials += found.trials.length / many;
  }
  return tally;
}

describe('of 1,000 made ceilings, the interval holds', () => {
  it('all where the origin always breaks at the same size, with few trials and a narrow interval', () => {
    const { inside, width, trials } = tallyOf(1, () => ({}));
    expect(inside).toBeCloseTo(1);
    expect(width).toBeLessThan(0.05);
    expect(trials).toBeLessThan(16);
  });

  it.each([0.005, 0.02, 0.05])('nearly all where the break moves by %s of the size', (noise) => {
    const { inside, width } = tallyOf(2, () => ({ noise }));
    expect(inside).toBeGreaterThan(0.98);
    expect(width).toBeLessThan(0.04 + 1.5 * noise);
  });

  it('at least 95 % where the judge does not know that it may err', () => {
    expect(tallyOf(3, () => ({ noise: 0.03, isJudgeSure: true })).inside).toBeGreaterThan(0.95);
  });

  it('all where the origin stays broken until many have left', () => {
    const { inside, width } = tallyOf(4, (random) => ({ healsAtShare: 0.5 + random() / 2 }));
    expect(inside).toBeCloseTo(1);
    // Without a recovery after each break the repeats would not agree.
    expect(width).toBeLessThan(0.05);
  });

  it('nearly all where one look in twenty is spoilt by something else, or sees nothing', () => {
    expect(tallyOf(5, () => ({ hiccups: 0.05, noise: 0.01 })).inside).toBeGreaterThan(0.98);
    expect(tallyOf(6, () => ({ blind: 0.05 })).inside).toBeGreaterThan(0.98);
  });
});

it('is never bounded by testers, whatever they stand', () => {
  const random = seeded(7);
  for (let i = 0; i < many; i += 1) {
    const ceiling = ceilingOf(random);
    const testersEnd = ceilingOf(random);
    const { found } = simulate(search, { ceiling, testersEnd }, random);
    if (found.state === 'found') {
      expect(Math.abs(ceiling - (found.viewers ?? 0))).toBeLessThanOrEqual(found.plusMinus ?? 0);
      continue;
    }
    // Where the testers stand fewer than the origin, all that is said is what held.
    expect(found).toMatchObject({ state: 'tester-limited' });
    expect(testersEnd).toBeLessThanOrEqual(ceiling + Math.ceil(ceiling * 0.06) + 1);
    expect(found.held ?? 0).toBeLessThan(Math.min(ceiling, testersEnd));
    expect(found.viewers).toBeUndefined();
  }
});

it('says what held and what to do when the testers give out first', () => {
  const { found } = simulate(search, { ceiling: 900, testersEnd: 300 }, seeded(1));
  expect(found.state).toBe('tester-limited');
  expect(found.held).toBeGreaterThan(280);
  expect(found.sentence).toBe(
    `At least ${found.held} viewers; beyond, the testers gave out before the origin did. A tester was at its own limit. Add a tester or split the audience, and search again.`,
  );
});

it('ends where nothing gives out', () => {
  const { found } = simulate({ ...search, mostViewers: 800 }, { ceiling: 5000 }, seeded(1));
  expect(found).toMatchObject({
    state: 'not-reached',
    held: 800,
    sentence: 'At least 800 viewers; nothing gave out.',
  });
});

it.each([1, 2, 3, 7])('finds a ceiling of %i below the first audience', (ceiling) => {
  const { found } = simulate(search, { ceiling }, seeded(1));
  expect(found.state).toBe('found');
  expect(Math.abs(ceiling - (found.viewers ?? -9))).toBeLessThanOrEqual(found.plusMinus ?? 0);
});

it('ends as unknown where nothing can be measured, and within its bound where nothing is ever agreed on', () => {
  const { found } = simulate(search, { ceiling: 100, blind: 1 }, seeded(1));
  expect(found).toMatchObject({ state: 'unknown', sentence: "It can't be said. Nothing was measured." });
  const random = seeded(8);
  for (let i = 0; i < 200; i += 1) {
    const wild = simulate(
      search,
      { ceiling: 100, noise: 2, hiccups: 0.3, blind: 0.1, healsAtShare: 0.1 },
      random,
    );
    expect(wild.found.trials.length).toBeLessThanOrEqual(mostTrials(search));
    expect(wild.found.state).not.toBe('searching');
  }
});

it('finds the break anew from well below, at sizes that it had not tried', () => {
  const { found, wishes } = simulate(search, { ceiling: 262 }, seeded(1));
  expect(found).toMatchObject({ state: 'found', repeats: 3 });
  const [first, second] = [1, 2].map((repeat) =>
    found.trials.filter((trial) => trial.repeat === repeat).map(({ viewers }) => viewers),
  );
  expect(second?.filter((viewers) => first?.includes(viewers)).length).toBeLessThan(second?.length ?? 0);
  expect(second?.[0]).toBeLessThan(262);
  // After each break the audience shrinks before it grows again.
  const sizes = wishes.map(({ viewers }) => viewers);
  for (const [place, size] of sizes.entries())
    if (size >= 262 && place + 1 < sizes.length) expect(sizes[place + 1]).toBeLessThan(262);
});

it('tells what is known of a search that somebody stops', () => {
  const director = searchDirector(search, 100, (_from, _to, viewers) =>
    viewers < 40 ? { result: 'met', sentence: 'Well.' } : { result: 'missed', sentence: 'Not well.' },
  );
  let wanted = 0;
  for (let nowMs = 0; director.found.broke === undefined; nowMs += 1000) {
    const wish = director.next({ nowMs, wanted, settledMs: nowMs });
    if (wish && wish !== 'end') wanted = wish.viewers;
  }
  expect(stoppedSearch(director.found)).toMatchObject({
    state: 'stopped',
    sentence: 'Stopped; 20 viewers held, 40 did not.',
  });
});

it('waits until everybody is there and has settled, and no longer than it has patience', () => {
  const looks: Array<readonly [number, number, number]> = [];
  const director = searchDirector(search, 10, (...look) => {
    looks.push(look);
    return { result: 'met', sentence: 'Well.' };
  });
  const at = (nowMs: number, settledMs?: number): unknown => director.next({ nowMs, wanted: 10, settledMs });
  expect(at(1000)).toMatchObject({ viewers: 10, ratePerSecond: 10 });
  expect(director.phase).toBe('ramp');
  expect(at(2000)).toBeUndefined();
  expect(at(3000, 2500)).toBeUndefined();
  expect(director.phase).toBe('hold');
  expect(at(17_000, 2500)).toBeUndefined();
  expect(looks).toEqual([]);
  expect(at(17_500, 2500)).toMatchObject({ viewers: 20 });
  expect(looks).toEqual([[7500, 17_500, 10]]);
  // The next ten never all arrive: after three times a second and fifteen more it is watched all the same.
  for (let nowMs = 18_000; nowMs <= 17_500 + 18_000 + 15_000; nowMs += 500) at(nowMs);
  expect(looks[1]).toEqual([40_500, 50_500, 20]);
});
