import { afterEach, expect, it } from 'vitest';
import { cleanUp, ended, engineInTemporaryFolder, planOf } from './support';

afterEach(cleanUp);

it.each(['Übung 1/камера', '教室 #3 100% "live"?a=b&c'])('plays a stream called %s', async (stream) => {
  const engine = engineInTemporaryFolder();
  const done = ended(engine);
  await engine.client.call('runs.start', {
    plan: planOf(
      { stream, from: 'lab', by: ['local'], viewers: 4, ratePerSecond: 20, holdMs: 2000 },
      {
        nodes: { lab: { server: 'lab' }, local: { tester: 'local' } },
        publish: [{ stream, node: 'lab', source: 'sample-240p' }],
      },
    ),
  });
  const { figures, failures, plan } = await done;
  expect(plan.pull?.stream).toBe(stream);
  expect(failures).toEqual([]);
  expect(figures.connectedPeak).toBe(4);
  const { nodes } = await engine.client.call('engine.state', {});
  expect(nodes.find(({ id }) => id === 'lab')?.problem).toBeUndefined();
});

it('reports invalid stream names', async () => {
  const { client } = engineInTemporaryFolder();
  await expect(client.call('player.address', { node: 'lab', stream: 'a\u0007b' })).rejects.toThrow(
    /^A stream name can't contain control characters or line breaks; this one contains U\+0007\.$/,
  );
});
