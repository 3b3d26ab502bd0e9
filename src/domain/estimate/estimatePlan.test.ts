import { describe, expect, it } from 'vitest';
import { defaultExpectations, type Plan } from '../model/plan';
import { parsePlan, planToYaml } from '../plan/planYaml';
import { estimatePlan, defaultLoad, defaultMaxViewers } from './estimatePlan';
import { audienceIn, pullPlan } from '../../../tests/support/pullPlan';

const plan: Plan = {
  name: 'Pull 1000',
  nodes: { origin: { server: 'srs', url: 'http://10.0.0.9:1985' }, one: { tester: 'local' } },
  publish: [{ stream: 'cam', node: 'origin', source: 'external' }],
  pull: {
    stream: 'cam',
    from: 'origin',
    by: ['one'],
    protocol: 'whep',
    viewers: 1000,
    ratePerSecond: 200,
    holdMs: 60_000,
    fidelity: 'browser',
  },
  expect: defaultExpectations,
  schedule: { repeat: 3 },
  hooks: [{ at: 'end', post: 'http://10.0.0.1/done' }],
};

describe('the calibration load of an estimate', () => {
  it('is a tenth of the audience, but at least ten viewers', () => {
    expect(defaultMaxViewers(pullPlan(plan))).toBe(100);
    expect(defaultMaxViewers({ pull: { ...audienceIn(plan), viewers: 40 } })).toBe(10);
    expect(defaultMaxViewers({ pull: { ...audienceIn(plan), viewers: 6 } })).toBe(6);
  });

  it('holds evenly spaced sizes, is bounded, and aborts long before viewers degrade', () => {
    const small = estimatePlan(pullPlan(plan), { ...defaultLoad, maxViewers: 100 });
    expect(small.pull).toMatchObject({ viewers: 100, ratePerSecond: 5, fidelity: 'browser', holdMs: 120_000 });
    expect(small.pull.stages).toEqual([{ kind: 'step', viewers: 100, by: 20, holdMs: 20_000, ratePerSecond: 5 }]);
    expect(small.stopWhen).toEqual([
      { what: 'degraded', comparison: '>', value: 5, forMs: 5000 },
      { what: 'failed', comparison: '>', value: 5, forMs: 5000 },
      { what: 'cpu', comparison: '>', value: 70, forMs: 5000 },
    ]);
    expect(small.schedule).toBeUndefined();
    expect(small.hooks).toBeUndefined();
  });

  it('keeps the stop conditions of its plan', () => {
    const stopWhen = [{ what: 'cpu', comparison: '>', value: 30, forMs: 1000 }] as const;
    expect(estimatePlan(pullPlan({ ...plan, stopWhen }), { ...defaultLoad, maxViewers: 100 }).stopWhen).toBe(stopWhen);
  });

  it('survives a YAML round trip', () => {
    const small = estimatePlan(pullPlan(plan), { ...defaultLoad, maxViewers: 100 });
    expect(parsePlan(planToYaml(small)).plan).toEqual(small);
  });
});
