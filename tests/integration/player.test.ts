import { afterEach, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/domain/model/run';
import { openRunLibrary } from '../../src/engine/store';
import { startRealPlayer } from './realPlayer';
import { cleanUp, ended, engineInTemporaryFolder, planOf, waitForRun } from './support';

afterEach(cleanUp);

const viewersAtOrigin = (run: RunView): number | undefined =>
  run.nodes.find(({ id }) => id === 'origin')?.streams.find(({ stream }) => stream === 'cam')?.viewers;

describe('the control player', () => {
  it('is never counted as audience, and does not delay the end of the run', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const { run } = await engine.client.call('runs.start', {
      plan: planOf({ viewers: 10, holdMs: 600_000 }),
    });
    await waitForRun(engine, (view) => view.figures.originViewers === 10);
    const { sessions } = await startRealPlayer(engine, 'origin', 'cam');
    expect(sessions).toHaveLength(1);

    // The origin counts it; from its next report on the figures exclude it.
    const counted = await waitForRun(engine, (view) => viewersAtOrigin(view) === 11);
    const next = await waitForRun(engine, (view) => view.figures.timeMs > counted.figures.timeMs + 2500);
    expect([viewersAtOrigin(next), next.figures.originViewers]).toEqual([11, 10]);

    await engine.client.call('runs.stopAll', { force: false });
    expect((await done).figures).toMatchObject({ present: 0, originViewers: 0 });
    expect(engine.events.map(({ sentence }) => sentence)).toContain(
      'Ended; all viewers disconnected, confirmed by origin',
    );
    const reader = openRunLibrary(engine.folder).open(run);
    try {
      expect(Math.max(...reader.values('origin', 'originViewers').value)).toBe(10);
    } finally {
      reader.close();
    }
  });

  it('may close a session that the origin has already closed', async () => {
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    await client.call('lab.start', {});
    const { job } = await client.call('publish.start', { node: 'lab', stream: 'cam', source: 'sample-240p' });
    const { sessions } = await startRealPlayer(engine, 'lab', 'cam');
    await client.call('publish.stop', { job });
    expect(await client.call('signal.end', { session: sessions[0] ?? '' })).toEqual({ done: true });
    expect(engine.sentences).toEqual([]);
  });

  it('may close a session while the origin is stopping', async () => {
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    await client.call('lab.start', {});
    await client.call('publish.start', { node: 'lab', stream: 'cam', source: 'sample-240p' });
    const { sessions } = await startRealPlayer(engine, 'lab', 'cam');
    const stopped = client.call('lab.stop', {});
    expect(await client.call('signal.end', { session: sessions[0] ?? '' })).toEqual({ done: true });
    expect(await stopped).toEqual({ done: true });
  });
});
