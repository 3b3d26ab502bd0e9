import { describe, expect, it } from 'vitest';
import type { Outages } from '../model/outages';
import type { Plan } from '../model/plan';
import { compareRuns, type Candidate, type Comparison } from './comparison';
import { measureRun } from './measureRun';
import { measuredOf, ramp, reason, type RunFixture } from '../../../tests/support/measured';

const day = Date.UTC(2026, 10, 12, 9);

function candidate(fixture: RunFixture, more: Partial<Candidate> = {}): Candidate {
  const measure = measureRun(measuredOf(fixture));
  return {
    id: fixture.id,
    name: fixture.id,
    isBaseline: false,
    measure,
    repeatKey: fixture.id,
    others: [],
    ...more,
  };
}

const before: RunFixture = {
  id: 'before',
  startedMs: day,
  viewers: ramp(260, 2, 40),
  cpu: (viewers) => viewers * 0.378,
  gc: (viewers) => (viewers % 10 === 0 ? viewers / 5 : undefined),
  connect: () => 176,
  gcSource: 'GC log over SSH (G1)',
  pull: { viewers: 1000, ratePerSecond: 2 },
  reasons: [reason(day, 127, 'cpu')],
};
const after: RunFixture = {
  id: 'after',
  startedMs: day + 86_400_000,
  viewers: ramp(996, 10, 25),
  cpu: (viewers) => viewers * 0.093,
  gc: (viewers) => (viewers % 10 === 0 ? viewers / 100 : undefined),
  connect: () => 121,
  gcSource: 'GC log over SSH (ZGC)',
  pull: { viewers: 1000 },
  reasons: [reason(day + 86_400_000, 58, 'cpu')],
};

function row(comparison: Comparison, id: string): Array<number | undefined> {
  return comparison.figures.find((figure) => figure.id === id)?.cells.map(({ value }) => value) ?? [];
}

describe('compared runs', () => {
  const comparison = compareRuns([candidate(after), candidate(before)]);

  it('are lettered from the oldest on, and summarised in one sentence', () => {
    expect(comparison.runs.map(({ letter, id }) => `${letter} ${id}`)).toEqual(['A before', 'B after']);
    expect(comparison.sentence).toBe(
      'B connected 736 more viewers and reached its first limit at 590 instead of 256; both exceeded the origin CPU limit first.',
    );
    expect(comparison.differs).toEqual(['GC (G1, ZGC)', 'arrival rate (2 /s, 10 /s)']);
  });

  it('have their figures side by side, with differences from the first', () => {
    expect(row(comparison, 'connected')).toEqual([260, 996]);
    expect(row(comparison, 'firstLimit')).toEqual([256, 590]);
    expect(row(comparison, 'cpuMost').map((value) => value?.toFixed(1))).toEqual(['98.3', '92.6']);
    expect(row(comparison, 'gcMost')).toEqual([52, 9.9]);
    expect(comparison.figures.find(({ id }) => id === 'connectAt')).toMatchObject({
      title: 'Connect p50 at 250',
      cells: [{ value: 176 }, { value: 121, difference: -55 }],
    });
  });

  it('report that the noise is unknown', () => {
    expect(comparison.noise).toMatch(/^Noise unknown/);
    for (const { noise, cells } of comparison.figures) {
      expect(noise).toBeUndefined();
      for (const { isBeyondNoise } of cells) expect(isBeyondNoise).toBeUndefined();
    }
  });

  it('are compared with the baseline if one is among them', () => {
    const held = compareRuns([candidate(before), candidate(after, { isBaseline: true })]);
    expect(held.reference).toBe(1);
    expect(held.figures[0]?.cells.map(({ difference }) => difference)).toEqual([-736, undefined]);
  });

  it('share an axis: run time from the first arrival, or viewers', () => {
    const cpu = comparison.charts.find(({ id }) => id === 'cpu');
    expect(cpu?.limit).toBe(80);
    expect(cpu?.overTime[0]?.x[0]).toBe(0);
    const [ofBefore, ofAfter] = cpu?.overViewers ?? [];
    expect(ofBefore?.x.at(-1)).toBe(260);
    expect(ofAfter?.x.at(-1)).toBe(1000);
    const at = ofAfter?.x.indexOf(500) ?? -1;
    expect(ofAfter?.y[at]).toBeCloseTo(46.5, 1);
    const gc = comparison.charts.find(({ id }) => id === 'gc');
    expect(gc?.overTime.every(({ y }) => y.every((value) => value !== null))).toBe(true);
  });

  it('separate noise from differences by repeats of the same test', () => {
    const repeat = (id: string, factor: number): RunFixture => ({
      ...before,
      id,
      cpu: (viewers) => viewers * 0.378 * factor,
    });
    const others = [repeat('r1', 0.99), repeat('r2', 1.01)].map((fixture) => measureRun(measuredOf(fixture)));
    const noisy = compareRuns([candidate(before, { others }), candidate(after)]);
    const cpu = noisy.figures.find(({ id }) => id === 'cpuMost');
    // 98.3 +- 1 % in three repeats: standard deviation 0.98, corrected for n = 3 1.11, of the difference of two runs
    // 3.1.
    expect(cpu?.noise).toBeCloseTo(3.07, 1);
    expect(cpu?.cells[1]).toMatchObject({ isBeyondNoise: true });
    expect(noisy.noise).toBe('Noise of 3 repeats: CPU ± 3.1 %, viewers ± 1.');
    const same = compareRuns([
      candidate(before, { others, repeatKey: 'same' }),
      candidate({ ...repeat('again', 1.005), startedMs: day + 1 }, { repeatKey: 'same' }),
    ]);
    expect(same.figures.find(({ id }) => id === 'cpuMost')?.cells[1]).toMatchObject({ isBeyondNoise: false });
  });

  it('name the run in which a tester, not the origin, was at its limit', () => {
    const limit = {
      node: 'audience',
      kind: 'cpu' as const,
      fromMs: day,
      viewers: 200,
      sentence: 'x',
      expected: 'y',
    };
    const limited = { ...before, change: { testerLimits: [limit] } };
    const [remark] = compareRuns([candidate(limited), candidate(after)]).remarks;
    expect(remark).toContain('A is tester-limited');
  });

  it('are summarised by the reason of their verdict, not by an earlier figure affected by a tester', () => {
    const limited = (fixture: RunFixture, startedMs: number): RunFixture => ({
      ...fixture,
      change: {
        verdict: {
          ...{ verdict: 'inconclusive', sentence: '', headroom: [] },
          reasons: [
            { ...reason(startedMs, 20, 'cpu'), expectation: undefined, node: 'audience', causedBy: 'tester' },
            { ...reason(startedMs, 10, 'cpu', 2), causedBy: 'tester' },
          ],
        },
      },
    });
    const of = (change: (fixture: RunFixture, startedMs: number) => RunFixture): string =>
      compareRuns([candidate(change(before, day)), candidate(change(after, day + 86_400_000))]).sentence;
    expect(of(limited)).toContain('; both reached the limit of a tester first');
    // A run of an older version does not record what its reasons concern.
    const old = (fixture: RunFixture, startedMs: number): RunFixture => {
      const { change = {} } = limited(fixture, startedMs);
      const reasons = (change.verdict?.reasons ?? []).map(({ causedBy: _, ...rest }) => rest);
      return { ...fixture, change: { verdict: { ...change.verdict!, reasons } } };
    };
    expect(of(old)).toBe(of(limited));
  });

  it('have no limit if a figure was only not measured', () => {
    const unmeasured = (fixture: RunFixture): Candidate =>
      candidate({
        ...fixture,
        change: {
          verdict: {
            ...{ verdict: 'inconclusive', sentence: '', headroom: [] },
            reasons: [{ ...reason(day, 0, 'cpu'), causedBy: 'unmeasured' }],
          },
        },
      });
    expect(compareRuns([unmeasured(before), unmeasured(after)]).sentence).toContain('neither reached a limit');
  });

  it('count publishers where these are the load, with their outages and what they sent', () => {
    const publishers = (id: string, live: number): Candidate => {
      const run = measuredOf({ id, viewers: ramp(live, 5, 20) });
      const plan: Plan = {
        ...{ name: id, nodes: run.view.plan.nodes, expect: {} },
        publish: [
          {
            ...{ stream: 'cam', node: 'origin', source: 'sample-240p', by: 'audience' },
            ...{ publishers: live, holdMs: 20_000 },
          },
        ],
      };
      const values: typeof run.values = (node, series) => {
        const counts = run.values(node, 'viewersConnected');
        if (series === 'publishersLive') return counts;
        if (series === 'publishMbps') return { ...counts, value: counts.value.map((count) => count * 0.4) };
        return run.values(node, series);
      };
      const outages = { count: 2 } as Outages;
      const verdict = { verdict: 'pass', sentence: '', reasons: [], headroom: [], outages } as const;
      const measure = measureRun({ ...run, values, view: { ...run.view, plan, verdict } });
      return { id, name: id, isBaseline: false, measure, repeatKey: id, others: [] };
    };
    const { sentence, figures } = compareRuns([publishers('a', 40), publishers('b', 60)]);
    expect(sentence).toContain('B connected 20 more publishers');
    const rowOf = (id: string) => figures.find((figure) => figure.id === id);
    expect(rowOf('connected')).toMatchObject({ title: 'Publishers connected' });
    expect(rowOf('publisherOutages')?.cells.map(({ value }) => value)).toEqual([2, 2]);
    expect(rowOf('sentMost')?.cells.map(({ value }) => value)).toEqual([16, 24]);
  });

  it('are summarised by the limits they searched for', () => {
    const searched = (id: string, viewers: number, plusMinus: number): Candidate =>
      candidate({
        ...before,
        id,
        change: { limit: { state: 'found', viewers, plusMinus, repeats: 3, trials: [], sentence: '' } },
      });
    expect(compareRuns([searched('a', 255, 5), searched('b', 262, 6)]).sentence).toBe(
      'Limits found, in viewers: A 255 ± 5, B 262 ± 6; the intervals overlap, so both may be the same.',
    );
    expect(compareRuns([searched('a', 255, 5), searched('b', 262, 1)]).sentence).toBe(
      'Limits found, in viewers: A 255 ± 5, B 262 ± 1.',
    );
    expect(compareRuns([searched('a', 255, 5), candidate(after)]).sentence).toContain('connected');
    const limit = { state: 'not-reached' as const, maxMet: 300, repeats: 1, trials: [], sentence: '' };
    const unbroken = candidate({ ...before, id: 'b', change: { limit } });
    expect(compareRuns([searched('a', 255, 5), unbroken]).sentence).toBe(
      'Limits found, in viewers: A 255 ± 5, B at least 300.',
    );
  });

  it('that reached no limit report it', () => {
    const calm = (id: string, viewers: number): RunFixture => ({
      id,
      viewers: ramp(viewers, 10, 20),
      startedMs: day,
    });
    expect(compareRuns([candidate(calm('a', 100)), candidate(calm('b', 100))]).sentence).toBe(
      'Both connected 100 viewers, and neither reached a limit.',
    );
    expect(compareRuns([candidate(calm('a', 100)), candidate(calm('b', 50)), candidate(calm('c', 80))]).sentence).toBe(
      'A connected the most viewers, 100, and B the fewest, 50; none reached a limit.',
    );
  });
});
