import { expect, it } from 'vitest';
import type { NodeView } from '../model/node';
import { limitTestNodes, limitTestPlan } from '../../../tests/support/trial';
import { searchPlan } from './searchPlan';
import { audienceIn } from '../../../tests/support/pullPlan';

const withLimits = (limits: Readonly<Record<string, number>>): NodeView[] =>
  limitTestNodes.map((node) => ({ ...node, viewerLimit: limits[node.id] }));

it('searches up to the capacity of the testers in the plan’s split', () => {
  const even = searchPlan(limitTestPlan, withLimits({ one: 500, two: 2000 }));
  expect(even.pull?.search).toMatchObject({ fromViewers: 63, maxViewers: 1000 });
  const weighted = { ...limitTestPlan, pull: { ...audienceIn(limitTestPlan), weights: { two: 4 } } };
  expect(searchPlan(weighted, withLimits({ one: 500, two: 2000 })).pull?.search?.maxViewers).toBe(2500);
  expect(searchPlan(limitTestPlan, limitTestNodes).pull?.search?.maxViewers).toBe(4000);
  expect(searchPlan(limitTestPlan, withLimits({ one: 3, two: 3 })).pull?.search).toMatchObject({
    fromViewers: 5,
    maxViewers: 6,
  });
});

it('removes what a search can’t have, and keeps the rest', () => {
  const plan = searchPlan(
    {
      ...limitTestPlan,
      pull: { ...audienceIn(limitTestPlan), stages: [{ kind: 'hold', forMs: 1000 }] },
      stopWhen: [{ what: 'degraded', comparison: '>', value: 20, forMs: 5000 }],
    },
    limitTestNodes,
  );
  expect(plan).toMatchObject({
    name: 'Limit, limit',
    expect: limitTestPlan.expect,
    pull: { viewers: 4000, stream: 'cam' },
  });
  expect(plan.pull?.stages).toBeUndefined();
  expect(plan.stopWhen).toBeUndefined();
  expect(searchPlan(plan, limitTestNodes)).toBe(plan);
});
