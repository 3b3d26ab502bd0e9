import { defaultExpectations, type Plan } from '../../src/domain/model/plan';

/** A plan in which one local tester pulls one stream of the lab, with what a test changes. */
export function samplePlan(pull: Partial<Plan['pull']> = {}, over: Partial<Plan> = {}): Plan {
  return {
    name: 'Pull',
    nodes: { origin: { server: 'lab' }, audience: { tester: 'local' } },
    publish: [{ stream: 'cam', node: 'origin', source: 'sample-240p' }],
    pull: {
      stream: 'cam',
      from: 'origin',
      by: ['audience'],
      protocol: 'whep',
      viewers: 1000,
      ratePerSecond: 200,
      holdMs: 60_000,
      ...pull,
    },
    expect: defaultExpectations,
    ...over,
  };
}
