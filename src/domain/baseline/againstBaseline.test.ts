import { describe, expect, it } from 'vitest';
import { measureRun, type RunMeasure } from '../compare/measureRun';
import { measuredOf, ramp, type RunFixture } from '../../../tests/support/measured';
import type { Judgement } from '../evidence/evidence';
import type { TesterLimit, VerdictName } from '../model/run';
import { againstBaseline } from './againstBaseline';

const day = Date.UTC(2026, 10, 12, 9);

function run(fixture: Partial<RunFixture> = {}): RunMeasure {
  return measureRun(
    measuredOf({
      id: 'run',
      startedMs: day,
      viewers: ramp(1000, 50, 20),
      cpu: (viewers) => viewers * 0.048,
      ...fixture,
    }),
  );
}

function judgement(verdict: VerdictName, testerLimits: readonly TesterLimit[] = []): Judgement {
  const reasons = verdict === 'fail' ? [{ number: 1, sentence: 'Its own.', expected: 'x', timeMs: day }] : [];
  return { verdict: { verdict, sentence: 'Own words.', reasons, headroom: ['CPU had headroom.'] }, testerLimits };
}

const baseline = { measure: run(), repeats: [] };
const hotter = run({ startedMs: day + 86_400_000, cpu: (viewers) => viewers * 0.061 });

describe('a run compared with its baseline', () => {
  it('fails when it is worse, and names the figure', () => {
    const { verdict } = againstBaseline(judgement('pass'), hotter, baseline);
    expect(verdict).toMatchObject({
      verdict: 'fail',
      sentence: '1,000 of 1,000 viewers connected; worse than the baseline of 12 Nov: CPU at 1,000 viewers.',
      reasons: [
        {
          number: 1,
          sentence: 'CPU at 1,000 viewers is 61 %, baseline 48 % on 12 Nov (noise unknown, 5 points allowed).',
          expected: 'baseline <= 53 %',
          series: 'cpuPercent',
          node: 'atom',
          timeMs: day + 86_400_000 + 2000 + 19_000,
        },
      ],
    });
  });

  it('estimates the noise from repeats of the baseline', () => {
    const repeats = [0.0473, 0.0487].map((each) => run({ cpu: (viewers) => viewers * each }));
    const { verdict } = againstBaseline(judgement('pass'), hotter, { ...baseline, repeats });
    expect(verdict.reasons[0]?.sentence).toBe(
      'CPU at 1,000 viewers is 61 %, baseline 48 % on 12 Nov (noise 2.2 points).',
    );
    const wide = [0.03, 0.066].map((each) => run({ cpu: (viewers) => viewers * each }));
    expect(againstBaseline(judgement('pass'), hotter, { ...baseline, repeats: wide }).verdict.verdict).toBe('pass');
  });

  it('passes within the stated tolerance, and names the baseline', () => {
    const slightly = run({ cpu: (viewers) => viewers * 0.0525 });
    const { verdict } = againstBaseline(judgement('pass'), slightly, baseline);
    expect(verdict).toMatchObject({ verdict: 'pass', reasons: [] });
    expect(verdict.headroom).toEqual(['CPU had headroom.', 'No regression against the baseline "Pull" of 12 Nov.']);
  });

  it('passes when it is better', () => {
    const cooler = run({ cpu: (viewers) => viewers * 0.01, connect: () => 10 });
    expect(againstBaseline(judgement('pass'), cooler, baseline).verdict.verdict).toBe('pass');
  });

  it('fails on fewer viewers, slower connects, longer pauses and more degraded viewers', () => {
    const cases: Array<[Partial<RunFixture>, string]> = [
      [{ viewers: ramp(950, 50, 20) }, 'The peak viewer count is 950, baseline 1,000'],
      [{ connect: () => 190 }, 'Connect p95 is 190 ms, baseline 100 ms'],
      [{ gc: () => 30 }, ''],
      [{ degraded: (viewers) => viewers * 0.05 }, 'The peak share of degraded viewers is 5.0 %, baseline 0.0 %'],
    ];
    for (const [fixture, sentence] of cases) {
      const { verdict } = againstBaseline(judgement('pass'), run(fixture), baseline);
      if (sentence === '') expect(verdict.verdict, 'a figure missing in the baseline is no regression').toBe('pass');
      else expect(verdict.reasons.map((reason) => reason.sentence).join(' ')).toContain(sentence);
    }
    const paused = againstBaseline(judgement('pass'), run({ gc: () => 30 }), {
      measure: run({ gc: () => 4 }),
      repeats: [],
    });
    expect(paused.verdict.reasons[0]?.sentence).toBe(
      'The longest GC pause is 30.0 ms, baseline 4.0 ms on 12 Nov (noise unknown, 5 ms allowed).',
    );
  });

  it('keeps its own reasons first, and its own sentence', () => {
    const { verdict } = againstBaseline(judgement('fail'), hotter, baseline);
    expect(verdict.sentence).toBe('Own words.');
    expect(verdict.reasons.map(({ number, sentence }) => [number, sentence.slice(0, 8)])).toEqual([
      [1, 'Its own.'],
      [2, 'CPU at 1'],
    ]);
  });

  it('is not judged if it is inconclusive', () => {
    for (const verdict of ['stopped', 'inconclusive', 'interrupted'] as const)
      expect(againstBaseline(judgement(verdict), hotter, baseline)).toEqual(judgement(verdict));
    const limit: TesterLimit = {
      node: 'audience',
      kind: 'cpu',
      fromMs: day,
      viewers: 10,
      sentence: 'x',
      expected: 'y',
    };
    const slow = run({ connect: () => 900 });
    expect(againstBaseline(judgement('pass', [limit]), slow, baseline).verdict.verdict).toBe('pass');
    expect(againstBaseline(judgement('pass', [limit]), hotter, baseline).verdict.verdict).toBe('fail');
  });
});
