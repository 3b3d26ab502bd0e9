import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, ended, engineInTemporaryFolder, planOf, waitForRun } from './support';

afterAll(cleanUp);

// The ramp-up takes 20 s: a slow machine that reports the first viewer late still stops before the last.
const arriving = { viewers: 400, ratePerSecond: 20 };
const long = planOf({ ...arriving, holdMs: 600_000 });

// Concurrent: each mostly waits.
describe.concurrent('stopping', () => {
  it('during the ramp-up disconnects all viewers', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: long });
    await waitForRun(engine, (view) => view.figures.connected >= 20);
    await engine.client.call('runs.stopAll', { force: false });
    const view = await done;
    expect(view.verdict?.verdict).toBe('stopped');
    expect(view.figures).toMatchObject({ present: 0, originViewers: 0 });
    expect(view.figures.connectedPeak).toBeLessThan(arriving.viewers);
  });

  it('by force works at once', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: long });
    await waitForRun(engine, (view) => view.figures.connected >= 20);
    await engine.client.call('runs.stopAll', { force: true });
    expect((await done).figures.present).toBe(0);
    // Only the viewers were ended, not the testers: these are killed only if they do not respond.
    expect(engine.agentPids()).toHaveLength(2);
  });

  it('during preparation starts nothing', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: long });
    expect(await engine.client.call('runs.stopAll', { force: false })).toEqual({ present: 0 });
    const view = await done;
    expect(view.figures.connectedPeak).toBe(0);
    expect(view.phases.map(({ name }) => name)).toEqual(['prepare']);
  });

  it('twice, or without a run, has no effect', async () => {
    const engine = engineInTemporaryFolder();
    expect(await engine.client.call('runs.stopAll', { force: false })).toEqual({ present: 0 });
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: long });
    await waitForRun(engine, (view) => view.figures.connected >= 5);
    await Promise.all([
      engine.client.call('runs.stopAll', { force: false }),
      engine.client.call('runs.stopAll', { force: true }),
      engine.client.call('runs.stopAll', { force: true }),
    ]);
    expect((await done).figures.present).toBe(0);
    expect(await engine.client.call('runs.stopAll', { force: true })).toEqual({ present: 0 });
  });

  it('of one job does not affect the others', async () => {
    const engine = engineInTemporaryFolder();
    const nodes = { origin: { server: 'lab' }, one: { tester: 'local' }, two: { tester: 'local' } } as const;
    const done = ended(engine);
    await engine.client.call('runs.start', {
      plan: planOf({ by: ['one', 'two'], viewers: 20, holdMs: 600_000 }, { nodes }),
    });
    await waitForRun(engine, (view) => view.figures.connected === 20);
    const { jobs } = await engine.client.call('engine.state', {});
    const [first] = jobs.filter((job) => job.kind === 'pull');
    await engine.client.call('runs.stopJob', { job: first?.id ?? '', force: false });
    const half = await waitForRun(engine, (view) => view.figures.present === 10);
    expect(half.figures.connected).toBe(10);
    await engine.client.call('runs.stopAll', { force: false });
    await done;
  });

  it('of a run allows the next one', async () => {
    const engine = engineInTemporaryFolder();
    const first = ended(engine);
    await engine.client.call('runs.start', { plan: planOf({ viewers: 5, holdMs: 1000 }) });
    await first;
    const second = ended(engine);
    await engine.client.call('runs.start', { plan: planOf({ viewers: 5, holdMs: 1000 }) });
    expect((await second).verdict?.verdict).toBe('pass');
    expect(await engine.client.call('runs.list', {})).toHaveLength(2);
  });
});
