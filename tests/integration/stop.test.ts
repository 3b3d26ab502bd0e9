import { afterAll, describe, expect, it } from 'vitest';
import { cleanUp, ended, engineInTemporaryFolder, planOf, waitForRun } from './support';

afterAll(cleanUp);

// The ramp-up takes 20 s: a slow machine that reports the first viewer late still stops before the last.
const arriving = { viewers: 400, ratePerSecond: 20 };
const long = planOf({ ...arriving, holdMs: 600_000 });

/**
 * With real viewers and sessions; when and what a stop ends is tested in virtual time (src/engine/runs/endings.test.ts).
 * Concurrent: each mostly waits.
 */
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
});
