import { createServer, type AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { waitForNode } from './fleetSupport';
import { cleanUp, engineInTemporaryFolder, planOf } from './support';

afterEach(cleanUp);

/** A local port that refuses connections. */
async function closedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

it('refuses a pull from a node that does not respond, without creating a run', async () => {
  const engine = engineInTemporaryFolder();
  const { client } = engine;
  const settings = { server: 'srs', url: `http://127.0.0.1:${await closedPort()}` } as const;
  await client.call('nodes.add', { name: 'srs-1', settings, secrets: {} });
  await waitForNode(engine, 'srs-1', ({ state }) => state === 'failed');
  const plan = planOf(
    { from: 'srs-1', by: ['local'], stream: 'livestream', viewers: 3, holdMs: 1000 },
    { nodes: { 'srs-1': settings, local: { tester: 'local' } }, publish: [] },
  );
  const { problems } = await client.call('plan.check', { plan });
  expect(problems).toMatchObject([{ path: 'pull.from', sentence: expect.stringContaining('srs-1') as string }]);
  await expect(client.call('runs.start', { plan })).rejects.toMatchObject({
    code: 'node-unreachable',
    message: expect.stringMatching(/^srs-1 can't be used: .*Reconnect it in Nodes/) as string,
  });
  expect(await client.call('runs.list', {})).toEqual([]);
  const { run } = await client.call('engine.state', {});
  expect(run).toBeNull();
});
