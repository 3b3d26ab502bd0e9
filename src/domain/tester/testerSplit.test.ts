import { describe, expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { defaultExpectations, type Plan } from '../model/plan';
import type { TesterLimit } from '../model/run';
import { settingsOf } from '../plan/planNodes';
import { limitedTesters, splitOf, splitProblem, withTester } from './testerSplit';
import { audienceIn } from '../../../tests/support/pullPlan';

function tester(id: string, over: Partial<NodeView> = {}): NodeView {
  return {
    id,
    name: id,
    role: 'tester',
    colourSlot: 2,
    state: 'live',
    reach: 'test',
    host: `host of ${id}`,
    streams: [],
    settings: { tester: 'ssh', ssh: `qa@${id}` },
    ...over,
  };
}
const origin: NodeView = {
  ...tester('xeon'),
  role: 'origin',
  settings: { server: 'srs', url: 'http://xeon' },
};
const first = tester('tester-1');
const local: NodeView = {
  ...tester('local', { name: 'local', host: 'this-machine', builtIn: true }),
  settings: undefined,
  state: 'idle',
};

const plan: Plan = {
  name: 'Pull 1000',
  nodes: {
    xeon: { server: 'srs', url: 'http://xeon' },
    'tester-1': { tester: 'ssh', ssh: 'qa@tester-1' },
  },
  publish: [],
  pull: {
    stream: 'cam',
    from: 'xeon',
    by: ['tester-1'],
    protocol: 'whep',
    viewers: 1000,
    ratePerSecond: 10,
    holdMs: 60_000,
  },
  expect: defaultExpectations,
};
const limit: TesterLimit = {
  node: 'tester-1',
  kind: 'cpu',
  fromMs: 70_000,
  viewers: 700,
  sentence: 'tester-1 ran out of CPU.',
  expected: 'a tester needs CPU headroom, <= 90 %',
};
const run = {
  plan,
  nodes: [origin, first],
  testerLimits: [limit],
  phases: [{ name: 'ramp', startMs: 0 }],
} as const;
const nothing = (): [] => [];
const names = (nodes: readonly NodeView[] | undefined): string[] => (nodes ?? []).map(({ id }) => id);

describe('a suggested split', () => {
  it('is offered for a tester-limited run', () => {
    const split = splitOf(run, [origin, first, tester('tester-2')], nothing);
    expect(split).toMatchObject({
      why: 'limited',
      weakViewers: 700,
      parts: 2,
      each: '500',
      eachBefore: '1,000',
    });
    expect(names(split?.weak)).toEqual(['tester-1']);
    expect(names(split?.candidates)).toEqual(['tester-2']);
    expect(split?.cost).toBeUndefined();
  });

  it('is not offered if no tester was limited, or none is left to split', () => {
    expect(splitOf({ ...run, testerLimits: [] }, [], nothing)).toBeUndefined();
    expect(splitOf({ ...run, testerLimits: undefined }, [], nothing)).toBeUndefined();
    const verdict = { verdict: 'pass', sentence: '', reasons: [], headroom: [] } as const;
    expect(splitOf({ ...run, verdict }, [], nothing)).toBeUndefined();
    const one = { ...plan, pull: { ...audienceIn(plan), viewers: 1 } };
    expect(splitOf({ ...run, plan: one }, [], nothing)).toBeUndefined();
  });

  it("is not offered if the origin decided the run, whatever the testers' limits", () => {
    const reasons = (causedBy: 'origin' | 'tester' | 'machine') => [
      { number: 1, sentence: 'x.', expected: 'y', timeMs: 80_000, node: 'tester-1', causedBy },
    ];
    const verdict = (name: 'fail' | 'inconclusive', causedBy: 'origin' | 'tester' | 'machine') =>
      ({ verdict: name, sentence: '', reasons: reasons(causedBy), headroom: [] }) as const;
    const offered = (of: ReturnType<typeof verdict>): boolean =>
      splitOf({ ...run, verdict: of }, [], nothing) !== undefined;
    expect(offered(verdict('fail', 'origin'))).toBe(false);
    expect(offered(verdict('inconclusive', 'machine'))).toBe(false);
    expect(offered(verdict('inconclusive', 'tester'))).toBe(true);
  });

  it('is offered without a free tester, so that one can be added', () => {
    expect(splitOf(run, [origin, first], nothing)?.candidates).toEqual([]);
  });

  it('estimates the cost of the share, from the samples before the limit', () => {
    const seconds = Array.from({ length: 120 }, (_, index) => index);
    const column = (value: (second: number) => number) => ({
      length: seconds.length,
      timesMs: seconds.map((second) => second * 1000),
      values: seconds.map(value),
    });
    // 10 more viewers a second cost 1.2 % more; from 70 s on no more CPU is available.
    const samples = {
      viewers: column((second) => Math.min(second, 70) * 10),
      burden: column((second) => (second <= 70 ? 5 + second * 1.2 : 99)),
      what: 'cpu',
      factor: 1,
    } as const;
    const split = splitOf(run, [], () => [samples]);
    expect(split?.cost?.percent).toBeCloseTo(65, 0);
    expect(split?.cost?.viewers).toBe(700);
    const ofFourCores = { ...samples, factor: 0.25 };
    expect(splitOf(run, [], () => [ofFourCores])?.cost?.percent).toBeCloseTo(16.25, 1);
    // The single reading thread is closer to its limit than the cores.
    const reader = { ...samples, what: 'reader' as const };
    expect(splitOf(run, [], () => [ofFourCores, reader])?.cost?.what).toBe('reader');
    // More CPU does not allow more files.
    const files = { ...run, testerLimits: [{ ...limit, kind: 'open-files' as const }] };
    expect(splitOf(files, [], () => [samples])?.cost).toBeUndefined();
  });

  it('is offered for a run that was refused because a tester lacks capacity', () => {
    const small = tester('tester-1', { viewerLimit: 744 });
    const refused = {
      plan,
      nodes: [origin, small],
      phases: [{ name: 'prepare', startMs: 0 }],
      testerLimits: undefined,
    } as const;
    expect(splitOf(refused, [tester('tester-2')], nothing)).toMatchObject({
      why: 'too-many',
      weakViewers: 744,
      each: '500',
    });
    const held = { ...refused, nodes: [origin, tester('tester-1', { viewerLimit: 1000 })] };
    expect(splitOf(held, [], nothing)).toBeUndefined();
    expect(splitOf({ ...refused, phases: run.phases }, [], nothing)).toBeUndefined();
  });

  it("is offered before a start, whatever the plan's name of a tester", () => {
    const small = tester('other-name', { viewerLimit: 744, settings: { tester: 'ssh', ssh: 'qa@tester-1' } });
    expect(names(splitProblem(plan, [origin, small, local])?.weak)).toEqual(['other-name']);
    expect(names(splitProblem(plan, [origin, small, local])?.candidates)).toEqual(['local']);
    expect(splitProblem(plan, [origin, first])).toBeUndefined();
  });
});

describe('the candidates', () => {
  const candidates = (...fleet: NodeView[]): string[] => names(splitOf(run, fleet, nothing)?.candidates);

  it('list a tester on another host first, one on the weak host last', () => {
    expect(
      candidates(
        origin,
        first,
        tester('on the weak host', { host: first.host }),
        tester('on the origin host', { host: origin.host }),
        tester('far'),
      ),
    ).toEqual(['far', 'on the origin host', 'on the weak host']);
  });

  it("include this machine's own", () => {
    expect(candidates(origin, first, local)).toEqual(['local']);
    const byLocal = { ...plan, nodes: { ...plan.nodes, a: { tester: 'local' as const } } };
    const pull = { ...audienceIn(plan), by: ['a'] };
    expect(names(splitOf({ ...run, plan: { ...byLocal, pull } }, [local], nothing)?.candidates)).toEqual([]);
  });

  it('exclude testers that are in the plan, have failed, use another protocol or lack capacity', () => {
    const can = { publish: [], play: [], serves: [], measure: [], terminate: false };
    expect(
      candidates(
        first,
        tester('same machine, other name', { settings: first.settings }),
        tester('failed', { state: 'failed' }),
        tester('wcs', { can: { ...can, pull: ['wcs'] } }),
        tester('small', { viewerLimit: 499 }),
        tester('good', { viewerLimit: 500, can: { ...can, pull: ['whep', 'rtmp'] } }),
        { ...origin, id: 'another origin' },
      ),
    ).toEqual(['good']);
  });

  it('prefer responding testers, then those with more capacity', () => {
    expect(
      candidates(
        tester('stale', { state: 'stale' }),
        tester('some capacity', { viewerLimit: 600 }),
        tester('more capacity', { viewerLimit: 6000 }),
      ),
    ).toEqual(['more capacity', 'some capacity', 'stale']);
  });
});

it('names each limited tester once, in order of time', () => {
  const second = tester('tester-2');
  const limits = [
    { ...limit, fromMs: 90 },
    { ...limit, node: 'tester-2', fromMs: 80 },
    { ...limit, kind: 'network' as const, fromMs: 100 },
  ];
  expect(names(limitedTesters(limits, [first, second]))).toEqual(['tester-2', 'tester-1']);
});

describe('a plan with one more tester', () => {
  it('has it in its nodes and testers, and is otherwise unchanged', () => {
    const more = withTester(plan, tester('tester-2'));
    expect(more).toEqual({
      ...plan,
      nodes: { ...plan.nodes, 'tester-2': { tester: 'ssh', ssh: 'qa@tester-2' } },
      pull: { ...plan.pull, by: ['tester-1', 'tester-2'] },
    });
    expect(withTester(plan, local).nodes['local']).toEqual({ tester: 'local' });
  });

  it("keeps the plan's name of an observed node, and avoids used names", () => {
    const observed = {
      ...plan,
      nodes: { ...plan.nodes, spare: { tester: 'ssh' as const, ssh: 'qa@tester-2' } },
    };
    expect(withTester(observed, tester('tester-2')).pull?.by).toEqual(['tester-1', 'spare']);
    // Two agents of one machine have the same settings.
    const two = { ...plan, nodes: { ...plan.nodes, a: settingsOf(local), b: settingsOf(local) } };
    const byFirst = { ...two, pull: { ...audienceIn(plan), by: ['a'] } };
    expect(withTester(byFirst, local).pull?.by).toEqual(['a', 'b']);
    const taken = tester('tester-1', { settings: { tester: 'ssh', ssh: 'qa@elsewhere' } });
    expect(withTester(plan, taken).pull?.by).toEqual(['tester-1', 'tester-1-2']);
  });
});
