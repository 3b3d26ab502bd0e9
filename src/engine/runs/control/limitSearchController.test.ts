import { describe, expect, it } from 'vitest';
import type { PlanSearch } from '../../../domain/model/audienceValues';
import { maxTrials } from '../../../domain/search/limitSearch';
import { stoppedSearch } from '../../../domain/search/limitText';
import { limitSearchController } from './limitSearchController';
import { seeded, simulate, type SimulatedOrigin } from '../../../../tests/support/searchSimulation';

const search: PlanSearch = {
  fromViewers: 10,
  maxViewers: 2000,
  settleMs: 5000,
  measureMs: 10_000,
  repeats: 3,
  precisionPercent: 5,
};
const many = 1000;

/** Ceilings from 20 to 800, log-uniform. */
const ceilingOf = (random: () => number): number => Math.round(20 * 40 ** random());

interface Tally {
  /** Share of the ceilings within the interval found. */
  readonly inside: number;
  /** Mean half-width, as a share of the ceiling. */
  readonly width: number;
  readonly trials: number;
}

function tallyOf(seed: number, origin: (random: () => number) => Omit<SimulatedOrigin, 'ceiling'>): Tally {
  const random = seeded(seed);
  const tally = { inside: 0, width: 0, trials: 0 };
  for (let i = 0; i < many; i += 1) {
    const ceiling = ceilingOf(random);
    const { found } = simulate(search, { ceiling, ...origin(random) }, random);
    const { viewers = -1, plusMinus = 0 } = found;
    if (found.state === 'found' && Math.abs(ceiling - viewers) <= plusMinus) tally.inside += 1 / many;
    tally.width += plusMinus / ceiling / many;
    tally.trials += found.trials.length / many;
  }
  return tally;
}

describe('of 1,000 simulated ceilings, the interval contains', () => {
  it('all if the origin always fails at the same size, with few trials and a narrow interval', () => {
    const { inside, width, trials } = tallyOf(1, () => ({}));
    expect(inside).toBeCloseTo(1);
    expect(width).toBeLessThan(0.05);
    expect(trials).toBeLessThan(16);
  });

  it.each([0.005, 0.02, 0.05])('nearly all if the ceiling varies by %s', (noise) => {
    const { inside, width } = tallyOf(2, () => ({ noise }));
    expect(inside).toBeGreaterThan(0.98);
    expect(width).toBeLessThan(0.04 + 1.5 * noise);
  });

  it('at least 95 % if the judge never reports a close result', () => {
    expect(tallyOf(3, () => ({ noise: 0.03, isJudgeSure: true })).inside).toBeGreaterThan(0.95);
  });

  it('all if the origin recovers only far below the ceiling', () => {
    const { inside, width } = tallyOf(4, (random) => ({ recoversAtShare: 0.5 + random() / 2 }));
    expect(inside).toBeCloseTo(1);
    // Without a recovery after each failure the repeats would not agree.
    expect(width).toBeLessThan(0.05);
  });

  it('nearly all if one measurement in twenty is disturbed or missing', () => {
    expect(tallyOf(5, () => ({ hiccups: 0.05, noise: 0.01 })).inside).toBeGreaterThan(0.98);
    expect(tallyOf(6, () => ({ blind: 0.05 })).inside).toBeGreaterThan(0.98);
  });
});

it('is never limited by testers, whatever their capacity', () => {
  const random = seeded(7);
  for (let i = 0; i < many; i += 1) {
    const ceiling = ceilingOf(random);
    const testersEnd = ceilingOf(random);
    const { found } = simulate(search, { ceiling, testersEnd }, random);
    if (found.state === 'found') {
      expect(Math.abs(ceiling - (found.viewers ?? 0))).toBeLessThanOrEqual(found.plusMinus ?? 0);
      continue;
    }
    // If the testers have less capacity than the origin, the result is only a lower bound.
    expect(found).toMatchObject({ state: 'tester-limited' });
    expect(testersEnd).toBeLessThanOrEqual(ceiling + Math.ceil(ceiling * 0.06) + 1);
    expect(found.maxMet ?? 0).toBeLessThan(Math.min(ceiling, testersEnd));
    expect(found.viewers).toBeUndefined();
  }
});

it('reports the size that held and the next step when the testers are the bottleneck', () => {
  const { found } = simulate(search, { ceiling: 900, testersEnd: 300 }, seeded(1));
  expect(found.state).toBe('tester-limited');
  expect(found.maxMet).toBeGreaterThan(280);
  expect(found.sentence).toBe(
    `At least ${found.maxMet} viewers; above that, the testers reached their limit before the origin. A tester was at its own limit. Add a tester or split the audience, then search again.`,
  );
});

it('ends at the maximum when nothing fails', () => {
  const { found } = simulate({ ...search, maxViewers: 800 }, { ceiling: 5000 }, seeded(1));
  expect(found).toMatchObject({
    state: 'not-reached',
    maxMet: 800,
    sentence: 'At least 800 viewers; no limit reached.',
  });
});

it.each([1, 2, 3, 7])('finds a ceiling of %i below the first audience', (ceiling) => {
  const { found } = simulate(search, { ceiling }, seeded(1));
  expect(found.state).toBe('found');
  expect(Math.abs(ceiling - (found.viewers ?? -9))).toBeLessThanOrEqual(found.plusMinus ?? 0);
});

it('ends as unknown without measurements, and within its limit when repeats never agree', () => {
  const { found } = simulate(search, { ceiling: 100, blind: 1 }, seeded(1));
  expect(found).toMatchObject({ state: 'unknown', sentence: 'The result is unknown. Nothing was measured.' });
  const random = seeded(8);
  for (let i = 0; i < 200; i += 1) {
    const wild = simulate(search, { ceiling: 100, noise: 2, hiccups: 0.3, blind: 0.1, recoversAtShare: 0.1 }, random);
    expect(wild.found.trials.length).toBeLessThanOrEqual(maxTrials(search));
    expect(wild.found.state).not.toBe('searching');
  }
});

it('repeats from well below, at sizes not tried before', () => {
  const { found, targets } = simulate(search, { ceiling: 262 }, seeded(1));
  expect(found).toMatchObject({ state: 'found', repeats: 3 });
  const [first, second] = [1, 2].map((repeat) =>
    found.trials.filter((trial) => trial.repeat === repeat).map(({ viewers }) => viewers),
  );
  expect(second?.filter((viewers) => first?.includes(viewers)).length).toBeLessThan(second?.length ?? 0);
  expect(second?.[0]).toBeLessThan(262);
  // After each failure the audience shrinks before it grows again.
  const sizes = targets.map(({ viewers }) => viewers);
  for (const [place, size] of sizes.entries())
    if (size >= 262 && place + 1 < sizes.length) expect(sizes[place + 1]).toBeLessThan(262);
});

it('reports the result so far of a stopped search', () => {
  const controller = limitSearchController(search, 100, (_from, _to, viewers) =>
    viewers < 40 ? { result: 'met', sentence: 'Well.' } : { result: 'missed', sentence: 'Not well.' },
  );
  let wanted = 0;
  for (let nowMs = 0; controller.found.minMissed === undefined; nowMs += 1000) {
    const target = controller.next({ nowMs, wanted, settledMs: nowMs });
    if (target && target !== 'end') wanted = target.viewers;
  }
  expect(stoppedSearch(controller.found)).toMatchObject({
    state: 'stopped',
    sentence: 'Stopped; 20 viewers passed, 40 failed.',
  });
});

it('waits until all viewers are connected and settled, up to its timeout', () => {
  const looks: Array<readonly [number, number, number]> = [];
  const controller = limitSearchController(search, 10, (...look) => {
    looks.push(look);
    return { result: 'met', sentence: 'Well.' };
  });
  const at = (nowMs: number, settledMs?: number): unknown => controller.next({ nowMs, wanted: 10, settledMs });
  expect(at(1000)).toMatchObject({ viewers: 10, ratePerSecond: 10 });
  expect(controller.phase).toBe('ramp');
  expect(at(2000)).toBeUndefined();
  expect(at(3000, 2500)).toBeUndefined();
  expect(controller.phase).toBe('hold');
  expect(at(17_000, 2500)).toBeUndefined();
  expect(looks).toEqual([]);
  expect(at(17_500, 2500)).toMatchObject({ viewers: 20 });
  expect(looks).toEqual([[7500, 17_500, 10]]);
  // The next ten never all connect: after three times one second plus fifteen it is measured anyway.
  for (let nowMs = 18_000; nowMs <= 17_500 + 18_000 + 15_000; nowMs += 500) at(nowMs);
  expect(looks[1]).toEqual([40_500, 50_500, 20]);
});
