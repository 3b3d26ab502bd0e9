import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { NodeView } from '../../src/domain/model/node';
import { openRunLibrary } from '../../src/engine/store';
import { startSshd, type Sshd } from './servers/sshd';
import { until } from '../support/until';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf, waitForRun, type TestEngine } from './support';

afterEach(cleanUp);

/** An engine with a tester behind a real sshd with a trusted key. */
async function engineAndTester(): Promise<{ engine: TestEngine; sshd: Sshd }> {
  const sshd = await startSshd({ temporaryUser: true });
  later(() => sshd.stop());
  const engine = engineInTemporaryFolder({ sshFolder: join(sshd.folder, 'no-such-folder') });
  return { engine, sshd };
}

const tester = (sshd: Sshd) => ({ tester: 'ssh', ssh: sshd.address, keyFile: sshd.keyFile }) as const;

async function viewOf(engine: TestEngine, id: string): Promise<NodeView> {
  const { nodes } = await engine.client.call('engine.state', {});
  const found = nodes.find((node) => node.id === id);
  if (!found) throw new Error(`Unknown node ${id}.`);
  return found;
}

/** Adds the tester and confirms its host key. */
async function addTester(engine: TestEngine, sshd: Sshd): Promise<void> {
  await engine.client.call('nodes.add', { name: 'tester-1', settings: tester(sshd), secrets: {} });
  let view = await viewOf(engine, 'tester-1');
  for (const endMs = Date.now() + 15_000; !view.hostKey && Date.now() < endMs;) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    view = await viewOf(engine, 'tester-1');
  }
  expect(view).toMatchObject({ fix: 'trust-key', hostKey: { state: 'unknown' } });
  await engine.client.call('nodes.trustHostKey', {
    node: 'tester-1',
    fingerprint: view.hostKey?.fingerprint ?? '',
  });
}

it('runs viewers on a machine with only SSH, and leaves nothing there', async () => {
  const { engine, sshd } = await engineAndTester();
  await addTester(engine, sshd);
  const plan = planOf({ by: ['tester-1'] }, { nodes: { origin: { server: 'lab' }, 'tester-1': tester(sshd) } });
  const end = ended(engine);
  await engine.client.call('runs.start', { plan });
  const run = await end;
  expect(run.verdict).toMatchObject({ verdict: 'pass' });
  const view = run.nodes.find((node) => node.id === 'tester-1');
  expect(view).toMatchObject({ software: expect.stringMatching(/^agent /) as string, reach: sshd.address });
  expect(view?.machine?.cores).toBeGreaterThan(0);
  expect(view?.clock?.uncertaintyMs).toBeGreaterThan(0);

  const home = join(sshd.home, '.cache', 'fullhouse');
  expect(readdirSync(home).some((name) => name.startsWith('fullhouse-agent-'))).toBe(true);
  expect(await engine.client.call('nodes.removeAgent', { node: 'tester-1' })).toEqual({ remaining: [] });
  expect(existsSync(home)).toBe(false);
});

it('loses no sample of the agent when SSH is cut during a run, and shows gaps in polled series', async () => {
  const { engine, sshd } = await engineAndTester();
  await addTester(engine, sshd);
  const plan = planOf(
    { by: ['tester-1'], viewers: 20, holdMs: 22_000 },
    { nodes: { origin: { server: 'lab' }, 'tester-1': tester(sshd) } },
  );
  const end = ended(engine);
  const { run: id } = await engine.client.call('runs.start', { plan });
  await waitForRun(engine, (run) => run.figures.connected === 20);
  await until(() => false, 3000);
  const cutMs = Date.now();
  await sshd.stopListening();
  sshd.cut();
  await until(() => false, 8000);
  await sshd.listenAgain();
  const run = await end;
  expect(run.figures).toMatchObject({ connectedPeak: 20, failed: 0 });

  const reader = openRunLibrary(engine.folder).open(id);
  later(() => reader.close());
  const { batch } = reader.samples(0, Number.MAX_SAFE_INTEGER, 200_000);
  const timesOf = (series: string): number[] =>
    batch.key.flatMap((key, index) => {
      const of = batch.keys[key];
      return of?.node === 'tester-1' && of.series === series ? [batch.timeMs[index] ?? 0] : [];
    });
  const gaps = (times: readonly number[]): number[] => times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const agent = timesOf('viewersConnected');
  expect(Math.max(...gaps(agent))).toBeLessThan(1900);
  expect(Math.min(...gaps(agent))).toBeGreaterThan(100);
  const polled = timesOf('cpuPercent');
  const longest = Math.max(...gaps(polled));
  expect(longest).toBeGreaterThan(6000);
  expect(polled.filter((time) => time > cutMs + 1500 && time < cutMs + 6500)).toEqual([]);
});
