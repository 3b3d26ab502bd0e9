import { afterEach, expect, it } from 'vitest';
import { splitOf, withTester } from '../../src/domain/tester/testerSplit';
import { limitedAgents } from './limitedTester';
import { cleanUp, ended, engineInTemporaryFolder, planOf } from './support';

afterEach(cleanUp);

it('a run refused for insufficient capacity of a tester is offered with two, and passes', async () => {
  const engine = engineInTemporaryFolder({ agentFolder: limitedAgents({ limits: 'ulimit -n 300' }) });
  const plan = planOf(
    { viewers: 60, holdMs: 2000 },
    { nodes: { origin: { server: 'lab' }, audience: { tester: 'local' }, second: { tester: 'local' } } },
  );
  const refused = ended(engine);
  await engine.client.call('runs.start', { plan });
  const run = await refused;
  expect(run.verdict?.verdict).toBe('not-started');

  const split = splitOf(run, run.nodes, () => []);
  expect(split).toMatchObject({ why: 'too-many', weakViewers: 44, each: '30', eachBefore: '60' });

  const second = run.nodes.find(({ id }) => id === 'second');
  if (!second) throw new Error('The run does not watch its second tester.');
  const over = withTester(run.plan, second);
  expect(over.pull?.by).toEqual(['audience', 'second']);
  const again = ended(engine);
  await engine.client.call('runs.start', { plan: over });
  const passed = await again;
  expect(passed.verdict).toMatchObject({ verdict: 'pass' });
  expect(passed.figures).toMatchObject({ requested: 60, connectedPeak: 60 });
  expect(splitOf(passed, [], () => [])).toBeUndefined();
}, 60_000);
