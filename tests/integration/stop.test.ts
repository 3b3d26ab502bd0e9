import { afterEach, describe, expect, it } from 'vitest';
import { cleanUp, ended, engineInTemporaryFolder, planOf, runThat } from './support';

afterEach(cleanUp);

// They arrive for 20 s: a machine that is slow to tell of the first of them has still time to stop the last.
const arriving = { viewers: 400, ratePerSecond: 20 };
const long = planOf({ ...arriving, holdMs: 600_000 });

describe('stopping', () => {
  it('in the middle of the arrivals sends everybody home', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: long });
    await runThat(engine, (view) => view.figures.connected >= 20);
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
    await runThat(engine, (view) => view.figures.connected >= 20);
    await engine.client.call('runs.stopAll', { force: true });
    expect((await done).figures.present).toBe(0);
    // It was the viewers that were ended and not the testers: these are only killed when they do not listen.
    expect(engine.agentPids()).toHaveLength(2);
  });

  it('while it is still getting ready starts nothing', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: long });
    expect(await engine.client.call('runs.stopAll', { force: false })).toEqual({ left: 0 });
    const view = await done;
    expect(view.figures.connectedPeak).toBe(0);
    expect(view.phases.map(({ name }) => name)).toEqual(['prepare']);
  });

  it('twice, or when nothing runs, does no harm', async () => {
    const engine = engineInTemporaryFolder();
    expect(await engine.client.call('runs.stopAll', { force: false })).toEqual({ left: 0 });
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: long });
    await runThat(engine, (view) => view.figures.connected >= 5);
    await Promise.all([
      engine.client.call('runs.stopAll', { force: false }),
      engine.client.call('runs.stopAll', { force: true }),
      engine.client.call('runs.stopAll', { force: true }),
    ]);
    expect((await done).figures.present).toBe(0);
    expect(await engine.client.call('runs.stopAll', { force: true })).toEqual({ left: 0 });
  });

  it('one job leaves the others alone', async () => {
    const engine = engineInTemporaryFolder();
    const nodes = { origin: { server: 'lab' }, one: { tester: 'local' }, two: { tester: 'local' } } as const;
    const done = ended(engine);
    await engine.client.call('runs.start', {
      plan: planOf({ by: ['one', 'two'], viewers: 20, holdMs: 600_000 }, { nodes }),
    });
    await runThat(engine, (view) => view.figures.connected === 20);
    const { jobs } = await engine.client.call('engine.state', {});
    const [first] = jobs.filter((job) => job.kind === 'pull');
    await engine.client.call('runs.stopJob', { job: first?.id ?? '', force: false });
    const half = await runThat(engine, (view) => view.figures.present === 10);
    expect(half.figures.connected).toBe(10);
    await engine.client.call('runs.stopAll', { force: false });
    await done;
  });

  it('a run that has ended makes room for the next', async () => {
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
