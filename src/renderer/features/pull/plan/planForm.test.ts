import { describe, expect, it } from 'vitest';
import type { NodeView } from '../../../../domain/model/node';
import type { Plan } from '../../../../domain/model/plan';
import { initialForm, readForm } from '../pullForm';
import { conditionsOf, noConditions, readConditions } from './conditionsForm';
import { formOf, othersOf } from './planForm';
import { audienceIn, pullPlan } from '../../../../../tests/support/pullPlan';

const node = (over: Partial<NodeView>): NodeView => ({
  id: 'lab',
  name: 'lab',
  role: 'origin',
  server: 'lab',
  colourSlot: 1,
  state: 'live',
  reach: '',
  host: 'me',
  streams: [],
  builtIn: true,
  ...over,
});
const nodes = [node({}), node({ id: 'local', name: 'local', role: 'tester', server: undefined })];

const plan: Plan = {
  name: 'Everything at once',
  nodes: { lab: { server: 'lab' }, local: { tester: 'local' } },
  publish: [{ stream: 'cam', node: 'lab', source: 'sample-240p' }],
  pull: {
    stream: 'cam',
    from: 'lab',
    by: ['local'],
    protocol: 'whep',
    viewers: 500,
    ratePerSecond: 16.666666666666668,
    holdMs: 90_000,
    stages: [
      { kind: 'ramp', viewers: 500, overMs: 30_000 },
      { kind: 'hold', forMs: 60_000 },
    ],
    weights: { local: 2 },
  },
  expect: { connected: { comparison: '>=', value: 98 } },
  thresholds: [
    { series: 'rttP95Ms', comparison: '<=', value: 200, tolerancePercent: 5, graceMs: 10_000 },
    { series: 'processMemoryBytes', node: 'lab', comparison: '<=', value: 4e9 },
  ],
  stopWhen: [{ what: 'degraded', comparison: '>', value: 20, forMs: 30_000 }],
  delay: [
    { stat: 'p50', valueMs: 200 },
    { stat: 'p95', valueMs: 500 },
  ],
  schedule: { repeat: 3, everyMs: 600_000 },
  hooks: [{ at: 'end', run: ['notify', 'done'] }],
};

describe('a plan in the form', () => {
  it('survives a round trip', () => {
    const form = formOf(pullPlan(plan), nodes, initialForm(nodes, undefined));
    expect(readForm(form, nodes)).toEqual({ plan, problems: [] });
  });

  it('from a preset keeps the chosen nodes and stream', () => {
    const pattern: Plan = {
      ...plan,
      nodes: {
        origin: { server: 'srs', url: 'http://192.0.2.1:1985' },
        tester: { tester: 'ssh', ssh: 'qa@192.0.2.2' },
      },
      pull: {
        ...audienceIn(plan),
        stream: 'livestream',
        from: 'origin',
        by: ['tester'],
        protocol: 'rtmp',
        weights: undefined,
      },
    };
    const read = readForm(formOf(pullPlan(pattern), nodes, initialForm(nodes, undefined), { keepsPlace: true }), nodes);
    expect(read.plan?.pull).toMatchObject({
      stream: 'cam',
      from: 'lab',
      by: ['local'],
      protocol: 'whep',
      viewers: 500,
    });
  });

  it('shows further audiences as rows, with what the first one has where they have the same', () => {
    const { stages: _, ...simple } = { ...audienceIn(plan), ratePerSecond: 20 };
    const also = [
      { ...simple, stream: 'cam-2', viewers: 7, network: { preset: '3g' } as const, label: 'Train' },
      { ...audienceIn(plan), stream: 'cam-2' },
    ];
    const several = { ...plan, publish: [...plan.publish, { ...plan.publish[0]!, stream: 'cam-2' }], also };
    const form = formOf(pullPlan(several), nodes, initialForm(nodes, undefined));
    expect(form.also.map(({ viewers, label, network }) => [viewers, label, network.choice])).toEqual([
      ['7', 'Train', '3g'],
      ['500', '', 'none'],
    ]);
    expect(readForm(form, nodes)).toEqual({ plan: several, problems: [] });
    const [row, other] = form.also;
    const wrong = { ...form, also: [{ ...row!, viewers: 'x', stream: '' }, other!] };
    expect(readForm(wrong, nodes).problems.map(({ path }) => path)).toEqual(['also.0.viewers', 'also.0.stream']);
  });

  it('lists content without fields', () => {
    const also = [{ ...audienceIn(plan), stream: 'cam-2', viewers: 7 }];
    expect(othersOf({ also, weights: { local: 2 } })).toEqual([
      'Also pulls 7 of cam-2 from lab by local: edit it in the YAML.',
      'Split by weight: local 2.',
    ]);
  });
});

describe('further conditions', () => {
  it('are empty without input', () => {
    expect(readConditions(noConditions)).toEqual({ plan: {}, problems: [] });
  });

  it('name the invalid field', () => {
    const form = conditionsOf(plan);
    const [first, ...others] = form.thresholds;
    const wrong = { ...form, thresholds: first ? [{ ...first, amount: '200' }, ...others] : [], repeat: '0' };
    expect(readConditions(wrong).problems.map(({ path }) => path)).toEqual(['thresholds.0', 'schedule.repeat']);
    expect(readConditions({ ...form, delay: 'p95 <= 500ms, p99' }).problems.map(({ path }) => path)).toEqual(['delay']);
    const atNine = { ...form, at: '2026-11-22 09:00' };
    expect(readConditions(atNine).plan.schedule?.atMs).toBe(new Date(2026, 10, 22, 9).getTime());
    expect(readConditions({ ...form, at: '11/22/2026 9 am' }).problems.map(({ path }) => path)).toEqual([
      'schedule.at',
    ]);
  });
});
