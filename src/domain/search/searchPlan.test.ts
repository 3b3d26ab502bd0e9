import { expect, it } from 'vitest';
import type { NodeView } from '../node';
import { madeNodes, madePlan } from './madeTrial';
import { searchPlan } from './searchPlan';

const withLimits = (limits: Readonly<Record<string, number>>): NodeView[] =>
  madeNodes.map((node) => ({ ...node, viewerLimit: limits[node.id] }));

it('looks as far as the testers can play in the plan’s split', () => {
  const even = searchPlan(madePlan, withLimits({ one: 500, two: 2000 }));
  expect(even.pull.search).toMatchObject({ fromViewers: 63, mostViewers: 1000 });
  const weighted = { ...madePlan, pull: { ...madePlan.pull, weights: { two: 4 } } };
  expect(searchPlan(weighted, withLimits({ one: 500, two: 2000 })).pull.search?.mostViewers).toBe(2500);
  expect(searchPlan(madePlan, madeNodes).pull.search?.mostViewers).toBe(4000);
  expect(searchPlan(madePlan, withLimits({ one: 3, two: 3 })).pull.search).toMatchObject({
    fromViewers: 5,
    mostViewers: 6,
  });
});

it('leaves out what a search can’t have, and keeps the rest', () => {
  const plan = searchPlan(
    {
      ...madePlan,
      pull: { ...madePlan.pull, stages: [{ kind: 'hold', forMs: 1000 }] },
      stopWhen: [{ what: 'degraded', comparison: '>', value: 20, forMs: 5000 }],
    },
    madeNodes,
  );
  expect(plan).toMatchObject({
    name: 'Limit, limit',
    expect: madePlan.expect,
    pull: { viewers: 4000, stream: 'cam' },
  });
  expect(plan.pull.stages).toBeUndefined();
  expect(plan.stopWhen).toBeUndefined();
  expect(searchPlan(plan, madeNodes)).toBe(plan);
});
