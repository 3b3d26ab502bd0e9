import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { NodeView } from '../../src/domain/model/node';
import { until } from '../support/until';
import { waitForNode } from './fleetSupport';
import { startSshd, type Sshd } from './servers/sshd';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf, temporaryFolder, type TestEngine } from './support';

afterEach(cleanUp);

interface Hosts {
  readonly engine: TestEngine;
  readonly sshds: readonly Sshd[];
  readonly knownHosts: string;
  readonly folder: string;
}

/** Hosts load-1 and load-2 behind a real sshd each, and load-3, where nothing listens. */
async function hosts({ isTrusted = true } = {}): Promise<Hosts> {
  const sshds = await Promise.all([1, 2].map(() => startSshd({ temporaryUser: true })));
  for (const sshd of sshds) later(() => sshd.stop());
  const folder = temporaryFolder();
  const sshFolder = join(folder, 'ssh');
  mkdirSync(sshFolder, { mode: 0o700 });
  const entry = (name: string, port: number, keyFile: string): string =>
    `Host ${name}\n  HostName 127.0.0.1\n  Port ${port}\n  IdentityFile ${keyFile}\n`;
  const config = sshds.map(({ port, keyFile, user }, i) => `${entry(`load-${i + 1}`, port, keyFile)}  User ${user}\n`);
  writeFileSync(join(sshFolder, 'config'), [...config, entry('load-3', 1, 'none')].join(''));
  const knownHosts = join(sshFolder, 'known_hosts');
  writeFileSync(knownHosts, '');
  if (isTrusted) for (const { hostKeyLine } of sshds) appendFileSync(knownHosts, hostKeyLine);
  return { engine: engineInTemporaryFolder({ sshFolder }), sshds, knownHosts, folder };
}

const viewOf = async (engine: TestEngine): Promise<NodeView | undefined> =>
  (await engine.client.call('engine.state', {})).nodes.find(({ id }) => id === 'load');

it('prepares the hosts of an inventory, and says why one is missing', async () => {
  const { engine, folder } = await hosts();
  const inventory = join(folder, 'hosts.ini');
  writeFileSync(inventory, '[load]\nload-[1:3]  # the testers\n');
  const settings = { tester: 'ssh', inventory: `${inventory}#load`, weights: 'measured' } as const;
  const plan = (over: object) =>
    planOf(
      { by: ['load'], viewers: 10, holdMs: 1500 },
      { nodes: { origin: { server: 'lab' }, load: { ...settings, ...over } } },
    );
  await engine.client.call('nodes.add', { name: 'load', settings: { ...settings, atLeast: 2 }, secrets: {} });
  expect((await viewOf(engine))?.group).toMatchObject({ size: 3, ready: 0 });
  const run = ended(engine);
  await engine.client.call('runs.start', { plan: plan({ atLeast: 2 }) });
  const { verdict, figures } = await run;
  expect(figures).toMatchObject({ requested: 10, connectedPeak: 10, failed: 0 });
  expect(verdict).toMatchObject({ verdict: 'pass' });
  const { group, problem } = (await viewOf(engine)) ?? {};
  expect(group).toMatchObject({ size: 3, ready: 2, members: ['load-1', 'load-2', 'load-3'] });
  expect(group?.missing).toMatchObject([{ name: 'load-3', isFinal: true }]);
  expect(problem).toMatch(/^2 of 3 ready\. load-3: .*refused/);
  expect(await engine.client.call('nodes.removeAgent', { node: 'load' })).toEqual({
    remaining: [expect.stringMatching(/load-3/)],
  });
}, 90_000);

it('is ready once the host keys are trusted', async () => {
  const { engine } = await hosts({ isTrusted: false });
  const settings = { tester: 'ssh', hosts: ['load-1', 'load-2'] } as const;
  await engine.client.call('nodes.add', { name: 'load', settings, secrets: {} });
  await engine.client.call('nodes.reconnect', { node: 'load' });
  for (let trusted = 0; trusted < 2; trusted += 1) {
    const { hostKey, fix } = await waitForNode(
      engine,
      'load',
      ({ hostKey, group }) => hostKey !== undefined && group?.ready === trusted,
    );
    expect(fix).toBe('trust-key');
    await engine.client.call('nodes.trustHostKey', { node: 'load', fingerprint: hostKey?.fingerprint ?? '' });
  }
  await waitForNode(engine, 'load', ({ state, group }) => state === 'live' && group?.ready === 2);
}, 90_000);

it('continues when the connection to a host breaks', async () => {
  const { engine, sshds } = await hosts();
  const settings = { tester: 'ssh', hosts: ['load-1', 'load-2'] } as const;
  let connected = 0;
  engine.client.on('run', (run) => (connected = run?.figures.connected ?? 0));
  const run = ended(engine);
  await engine.client.call('runs.start', {
    plan: planOf({ by: ['load'], viewers: 10, holdMs: 9000 }, { nodes: { origin: { server: 'lab' }, load: settings } }),
  });
  await until(() => connected === 10, 30_000);
  sshds[0]?.cut();
  const { verdict, failures, figures } = await run;
  expect(failures).toEqual([]);
  expect(figures).toMatchObject({ connectedPeak: 10, failed: 0 });
  expect(verdict).toMatchObject({ verdict: 'pass' });
}, 90_000);
