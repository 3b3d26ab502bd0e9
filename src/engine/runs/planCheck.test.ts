import { expect, it } from 'vitest';
import type { Plan } from '../../domain/model/plan';
import { checkPlan, planProblems } from './planCheck';
import { audienceIn } from '../../../tests/support/pullPlan';

const plan = (viewers: number): Plan => ({
  name: 'x',
  nodes: { lab: { server: 'lab' }, local: { tester: 'local' } },
  publish: [{ stream: 'cam', node: 'lab', source: 'sample-240p' }],
  pull: {
    stream: 'cam',
    from: 'lab',
    by: ['local'],
    protocol: 'whep',
    viewers,
    ratePerSecond: 100,
    holdMs: 1000,
  },
  expect: {},
});

const noFacts = { viewerLimits: new Map<string, number>(), openFiles: new Map<string, number>() };

it('expects per viewer what the stream itself reports', () => {
  const stream = { stream: 'cam', source: 'camera', viewers: 0, bitrateKbps: 500, packetsPerSecond: 60 };
  expect(checkPlan(plan(200), { stream, ...noFacts })).toMatchObject({
    problems: [],
    expectedMbps: 100,
    expectedPacketsPerSecond: 12_000,
  });
});

it('does not guess the figures of an unknown stream', () => {
  const external = { ...plan(10), publish: [] };
  const { expectedMbps, checks } = checkPlan(external, noFacts);
  expect(expectedMbps).toBeUndefined();
  expect(checks.some(({ good }) => !good)).toBe(true);
});

it('names the field of an audience that is too large, and a possible value', () => {
  const { problems } = checkPlan(plan(30_000), {
    viewerLimits: new Map([['local', 19_744]]),
    openFiles: new Map([['local', 20_000]]),
  });
  expect(problems).toMatchObject([{ path: 'pull.viewers', suggestion: 19_744 }]);
});

it('uses the limit of open files until the agent has reported its own limit', () => {
  const { problems, checks } = checkPlan(plan(900), {
    viewerLimits: new Map(),
    openFiles: new Map([['local', 1024]]),
    ports: 28_232,
  });
  expect(problems).toMatchObject([{ path: 'pull.viewers', suggestion: 768 }]);
  expect(checks[0]).toEqual({ good: false, sentence: 'Open files on local: 1,024; this job needs 1,156.' });
  expect(checks[1]?.good).toBe(true);
});

it('reports the CPU capacity of a tester without refusing more', () => {
  const strength = { viewers: 4900, bound: 'cpu', basis: 'estimated' } as const;
  const facts = { ...noFacts, capacities: new Map([['local', strength]]) };
  const sentence = 'local runs up to 4,900 viewers (estimated, by CPU); this job assigns it';
  expect(checkPlan(plan(900), facts).checks[0]).toEqual({ good: true, sentence: `${sentence} 900.` });
  expect(checkPlan(plan(9000), facts).checks[0]).toEqual({ good: false, sentence: `${sentence} 9,000.` });
  expect(checkPlan(plan(9000), facts).problems).toEqual([]);
});

it('warns of a share above what a tester without a limit reports', () => {
  const ports = { viewers: 1000, bound: 'ports', basis: 'reported' } as const;
  const facts = { ...noFacts, capacities: new Map([['local', ports]]) };
  const { problems, checks } = checkPlan(plan(1001), facts);
  expect(problems).toEqual([]);
  expect(checks[0]).toMatchObject({ good: false, sentence: expect.stringContaining('1,001') as string });
});

it('warns of B-frames, which spoil the picture of WebRTC viewers', () => {
  const served = { stream: 'cam', source: 'RTMP', bitrateKbps: 500, bFrames: 1200 };
  const { checks, problems } = checkPlan(plan(10), { ...noFacts, stream: served });
  expect(checks.find(({ good }) => !good)?.sentence).toMatch(/^Stream cam has B-frames \(1,200 so far\)/);
  expect(problems).toEqual([]);
  const overRtmp = { ...plan(10), pull: { ...audienceIn(plan(10)), protocol: 'rtmp' as const } };
  expect(checkPlan(overRtmp, { ...noFacts, stream: served }).checks.every(({ good }) => good)).toBe(true);
});

it('names a tester by its display name', () => {
  const facts = {
    names: new Map([['local', 'rack 7']]),
    viewerLimits: new Map(),
    openFiles: new Map([['local', 1024]]),
  };
  const { problems, checks } = checkPlan(plan(900), facts);
  expect(checks[0]?.sentence).toMatch(/^Open files on rack 7:/);
  expect(problems[0]?.sentence).toMatch(/^rack 7 can run at most/);
});

it('finds nodes used in the wrong role', () => {
  const wrong: Plan = { ...plan(1), pull: { ...audienceIn(plan(1)), from: 'local', by: ['lab', 'lab'] } };
  expect(planProblems(wrong).map(({ path }) => path)).toEqual(['pull.from', 'pull.by.0', 'pull.by.1', 'pull.by.1']);
});

it('accepts a node that can not list its streams', () => {
  const { checks } = checkPlan({ ...plan(10), publish: [] }, { ...noFacts, isSilent: true });
  expect(checks).toEqual([
    {
      good: false,
      isUnknown: true,
      sentence: "lab can't list its streams: whether cam is live is unknown.",
    },
  ]);
});

it('compares the expected bandwidth with the measured one', () => {
  const stream = { stream: 'cam', source: 'camera', bitrateKbps: 500 };
  const sentences = (viewers: number) =>
    checkPlan(plan(viewers), { ...noFacts, stream, capacityMbps: 100 }).checks.filter(({ sentence }) =>
      sentence.startsWith('Link of lab'),
    );
  expect(sentences(100)).toEqual([
    { good: true, sentence: 'Link of lab: iperf3 measured 100 Mbit/s; this job needs 50.' },
  ]);
  expect(sentences(300)).toMatchObject([{ good: false }]);
});

it('does not suggest 0 viewers', () => {
  const { problems } = checkPlan(plan(10), { ...noFacts, viewerLimits: new Map([['local', 0]]) });
  expect(problems).toEqual([
    {
      path: 'pull.viewers',
      sentence: "local can't run any viewers: its limit of open files is too low; raise it there.",
    },
  ]);
});

it('finds the same faults in a load profile as in its text', () => {
  const of = (pull: Partial<NonNullable<Plan['pull']>>): Plan => ({
    ...plan(10),
    pull: { ...audienceIn(plan(10)), ...pull },
  });
  const problems = (pull: Partial<NonNullable<Plan['pull']>>) => planProblems(of(pull)).map(({ path }) => path);
  const stages = [{ kind: 'ramp', viewers: 10, overMs: 1000 }] as const;
  const search = {
    fromViewers: 1,
    maxViewers: 10,
    settleMs: 1,
    measureMs: 1,
    repeats: 1,
    precisionPercent: 3,
  };
  expect(problems({ stages, ratePerSecond: 10 })).toEqual([]);
  expect(problems({ stages, ratePerSecond: 99 })).toEqual(['pull.viewers']);
  expect(problems({ stages, ratePerSecond: 10, viewers: 9 })).toEqual(['pull.viewers']);
  expect(problems({ stages: [{ kind: 'hold', forMs: 1000 }] })).toEqual(['pull.stages.0']);
  expect(problems({ search })).toEqual([]);
  expect(problems({ search: { ...search, maxViewers: 1 } })).toEqual(['pull.search']);
  expect(problems({ search, stages })).toEqual(['pull.search']);
  expect(problems({ weights: { local: 2, nobody: 1 } })).toEqual(['pull.weights']);
});

it('checks every audience, and the nodes of expectations', () => {
  const one = plan(10);
  const searching = {
    ...audienceIn(one),
    search: { fromViewers: 1, maxViewers: 10, settleMs: 1, measureMs: 1, repeats: 1, precisionPercent: 3 },
  };
  expect(planProblems({ ...one, also: [{ ...audienceIn(one), from: 'local' }] }).map(({ path }) => path)).toEqual([
    'also.0.from',
  ]);
  expect(planProblems({ ...one, pull: searching, also: [searching] }).map(({ path }) => path)).toEqual(['also']);
  const nowhere: Plan = {
    ...one,
    thresholds: [{ series: 'rttP95Ms', node: 'x', comparison: '<=', value: 1 }],
    stopWhen: [{ what: 'rttP95Ms', node: 'y', comparison: '>', value: 1, forMs: 0 }],
  };
  expect(planProblems(nowhere).map(({ path }) => path)).toEqual(['thresholds.0.node', 'stopWhen.0.node']);
  const { problems } = checkPlan(
    { ...one, also: [audienceIn(one)] },
    { ...noFacts, viewerLimits: new Map([['local', 15]]) },
  );
  expect(problems).toEqual([
    { path: 'pull.viewers', sentence: 'local can run at most 15 viewers, but would be assigned 20.' },
  ]);
});

it('accepts a stream only if it is live or published by the plan', () => {
  const of = (change: Partial<Plan>, facts: object = {}) =>
    checkPlan({ ...plan(10), ...change }, { ...noFacts, ...facts }).checks.find(({ sentence }) =>
      sentence.includes('cam'),
    );
  const published = (source: 'sample-240p' | 'external', node = 'lab') => ({
    publish: [{ stream: 'cam', node, source }],
  });
  expect(of(published('sample-240p'))?.good).toBe(true);
  // An external encoder: whether it publishes is what has to be checked.
  expect(of(published('external'), { canPublish: true })).toEqual({
    good: false,
    sentence: 'No stream cam on lab, and this plan does not publish it.',
    fix: 'publish',
  });
  // Published, but on another node than the one to pull from.
  expect(of(published('sample-240p', 'other'))).toMatchObject({ good: false });
  expect(of(published('external'))).not.toHaveProperty('fix');
  expect(of(published('external'), { isSilent: true })).toMatchObject({ good: false, isUnknown: true });
});

it('refuses a pull from or by a node that does not respond', () => {
  const unreachable = new Map([
    ['lab', "lab can't be used: connection refused. Reconnect it in Nodes, or pull from another node."],
    ['local', 'local has stopped responding. Reconnect it in Nodes, or choose another tester.'],
  ]);
  const { problems } = checkPlan(plan(10), { ...noFacts, unreachable });
  expect(problems.map(({ path }) => path)).toEqual(['pull.from', 'pull.by.0']);
  expect(problems[0]?.sentence).toContain('connection refused');
});
