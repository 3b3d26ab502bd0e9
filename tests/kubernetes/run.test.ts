import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { openRunLibrary } from '../../src/engine/store';
import type { RunView } from '../../src/domain/model/run';
import { cleanUp, engineInTemporaryFolder, waitForRun, type TestEngine } from '../integration/support';
import type { Cluster } from '../support/cluster/cluster';
import { until } from '../support/until';
import { clusterForTesters, labFor, objectsIn, planWith, podNames, podsOf } from './support';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await clusterForTesters();
});
afterAll(() => cluster?.stop());
afterEach(async () => {
  await cleanUp();
  // Pods have 15 s to end after their Job is deleted; the kubelet of a busy machine needs longer.
  await until(async () => (await objectsIn(cluster)).length === 0, 60_000);
  expect(await objectsIn(cluster)).toEqual([]);
});

const ended = (engine: TestEngine): Promise<RunView> => waitForRun(engine, ({ state }) => state === 'ended', 180_000);
/** Passed, unless this machine was too busy for its own viewers. */
const expectPass = ({ verdict }: RunView): void => {
  if (verdict?.verdict !== 'pass') expect(verdict?.sentence).toContain('at its own limit');
};
const sentencesOf = (engine: TestEngine): string[] => engine.events.map(({ sentence }) => sentence);

describe('viewers in pods', () => {
  it('400 on 4 pods: a pod killed in the middle is reported at once, its viewers are lost by the tester, and its replacement continues', async () => {
    const lab = await labFor(cluster);
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', {
      plan: planWith(lab, podsOf(cluster), { ratePerSecond: 100, holdMs: 60_000 }),
    });
    await waitForRun(engine, ({ figures }) => figures.connected === 400, 60_000);
    expect(Math.max(...lab.viewers)).toBe(400);
    const [victim = ''] = await podNames(cluster);
    const killedMs = Date.now();
    await cluster.kubectl(['delete', 'pod', '-n', 'load', victim, '--wait=false']);
    expect(await until(() => engine.events.some(({ sentence }) => sentence.includes('viewers lost')), 5000)).toBe(true);
    const lost = engine.events.find(({ sentence }) => sentence.includes('viewers lost'));
    expect(lost?.sentence).toBe(`${victim} ended: deleted; 100 viewers lost`);
    expect(Math.abs((lost?.timeMs ?? 0) - killedMs)).toBeLessThan(2000);
    await waitForRun(engine, ({ figures }) => figures.connected === 300, 10_000);
    await waitForRun(engine, ({ figures }) => figures.connected === 400, 45_000);

    const view = await done;
    expect(view.failures).toMatchObject([{ tester: 'load', cause: 'tester-lost', count: 100 }]);
    expectPass(view);
    expect(sentencesOf(engine)).toContain('4 of 4 ready');
    await engine.shutdown();
  });

  it('a run that ends with fewer pods is inconclusive', async () => {
    const lab = await labFor(cluster);
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const pull = { viewers: 80, ratePerSecond: 80, holdMs: 6000 };
    await engine.client.call('runs.start', { plan: planWith(lab, podsOf(cluster), pull) });
    await waitForRun(engine, ({ figures }) => figures.connected === 80, 60_000);
    const [victim = ''] = await podNames(cluster);
    await cluster.kubectl(['delete', 'pod', '-n', 'load', victim, '--wait=false']);
    const { verdict } = await done;
    expect(verdict?.verdict).toBe('inconclusive');
    expect(verdict?.sentence).toContain(`${victim} ended: deleted; 20 viewers lost`);
    // The pods exist for one run only.
    expect(await until(async () => (await objectsIn(cluster)).length === 0, 40_000)).toBe(true);
    await engine.shutdown();
  });

  it('loses no second and counts none twice while the API server is away for 20 s', async () => {
    const lab = await labFor(cluster);
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const pull = { viewers: 80, ratePerSecond: 80, holdMs: 45_000 };
    const { run } = await engine.client.call('runs.start', { plan: planWith(lab, podsOf(cluster), pull) });
    await waitForRun(engine, ({ figures }) => figures.connected === 80, 60_000);
    await cluster.stopApiServer();
    const awayMs = Date.now();
    await until(() => Date.now() - awayMs > 20_000, 25_000);
    await cluster.startApiServer();
    const backMs = Date.now();
    const view = await done;
    expect(view.failures).toEqual([]);
    expectPass(view);
    await engine.shutdown();

    const reader = openRunLibrary(engine.folder).open(run);
    try {
      const { timeMs, value } = reader.values('load', 'viewersConnected', awayMs, backMs + 3000);
      const gapsMs = [...timeMs].slice(1).map((ms, i) => ms - (timeMs[i] ?? 0));
      expect(Math.min(...gapsMs)).toBeGreaterThan(500);
      expect(Math.max(...gapsMs)).toBeLessThan(1500);
      expect(timeMs.length).toBeGreaterThanOrEqual(Math.floor((backMs - awayMs) / 1000) + 2);
      expect(Math.min(...value)).toBe(80);
    } finally {
      reader.close();
    }
    // The server itself served all of them all the time.
    expect(Math.min(...lab.viewers.slice(-40, -20))).toBe(80);
  });
});

describe('pods that do not start', () => {
  it('one that can not be scheduled is named, and the run starts with the others if the plan allows it', async () => {
    const lab = await labFor(cluster);
    const engine = engineInTemporaryFolder();
    const settings = podsOf(cluster, { replicas: 3, resources: { cpu: '800m', memory: '128Mi' } });
    const pull = { viewers: 40, ratePerSecond: 40, holdMs: 3000 };
    const refused = ended(engine);
    await engine.client.call('runs.start', { plan: planWith(lab, settings, pull) });
    expect((await refused).verdict?.sentence).toMatch(
      /load: 2 of 3 ready\. \S+: unschedulable: not enough CPU \(1 node\)/,
    );

    await engine.shutdown();

    const other = engineInTemporaryFolder();
    const done = ended(other);
    await other.client.call('runs.start', { plan: planWith(lab, { ...settings, atLeast: 2 }, pull) });
    const { verdict, figures } = await done;
    expect(figures).toMatchObject({ connectedPeak: 40 });
    expect(verdict?.notes?.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/load started with 2 of 3 ready\. \S+: unschedulable/),
    );
    await other.shutdown();
  });

  it('an image that can not be pulled', async () => {
    const lab = await labFor(cluster);
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const settings = podsOf(cluster, { replicas: 2, image: 'docker.io/fullhouse/absent:1' });
    await engine.client.call('runs.start', { plan: planWith(lab, settings, { viewers: 10 }) });
    expect((await done).verdict?.sentence).toMatch(
      /load: 0 of 2 ready\. \S+ and 1 more: image is not on its node, and pullPolicy is Never/,
    );
    await engine.shutdown();
  });
});
