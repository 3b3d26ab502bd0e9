import { createServer, type AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { sleep } from '../../src/engine/base/clock';
import { openRunLibrary } from '../../src/engine/store';
import { freezableDisk } from '../support/frozenDisk';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf, temporaryFolder, waitForRun } from './support';

afterEach(cleanUp);

describe('failures', () => {
  it('a missing stream: every viewer fails with the same cause, and the run ends', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', {
      plan: planOf({ stream: 'nope', viewers: 20, holdMs: 60_000 }, { publish: [] }),
    });
    const view = await done;
    expect(view.failures).toMatchObject([{ tester: 'audience', stage: 'signalling', cause: 'http-404', count: 20 }]);
    expect(view.failures[0]?.example.detail).toContain('nope');
    expect(view.verdict?.verdict).toBe('fail');
    expect(engine.events.filter(({ kind }) => kind === 'failure').length).toBeGreaterThan(0);
  });

  it('more viewers than the tester supports: nothing starts, and the sentence states the fix', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: planOf({ viewers: 10_000_000 }) });
    const view = await done;
    expect(view.verdict).toMatchObject({ verdict: 'inconclusive' });
    expect(view.verdict?.sentence).toMatch(/audience can run at most [\d,]+ viewers.*request at most/);
    expect(view.figures.connectedPeak).toBe(0);
  });

  it('a port in use: the sentence names it', async () => {
    const holder = createServer();
    await new Promise<void>((resolve) => holder.listen(0, '127.0.0.1', resolve));
    later(() => new Promise<void>((resolve) => holder.close(() => resolve())));
    const { port } = holder.address() as AddressInfo;
    const engine = engineInTemporaryFolder({ labHttp: `127.0.0.1:${port}` });
    await expect(engine.client.call('lab.start', {})).rejects.toThrow(new RegExp(`127\\.0\\.0\\.1:${port}`));
    const { nodes } = await engine.client.call('engine.state', {});
    expect(nodes.find(({ id }) => id === 'lab')).toMatchObject({ state: 'failed' });
  });

  it('a plan with incompatible nodes is refused before anything starts', async () => {
    const engine = engineInTemporaryFolder();
    await expect(engine.client.call('runs.start', { plan: planOf({ from: 'audience' }) })).rejects.toThrow(
      /pull\.from/,
    );
    await expect(engine.client.call('runs.start', { plan: planOf({ viewers: -5 }) })).rejects.toThrow(/viewers/);
    expect(engine.agentPids()).toEqual([]);
  });

  it('a stream that ends during the run: reported at once, and all viewers are accounted for', async () => {
    const engine = engineInTemporaryFolder();
    const nodes = { lab: { server: 'lab' }, local: { tester: 'local' } } as const;
    const { job } = await engine.client.call('publish.start', {
      node: 'lab',
      stream: 'cam',
      source: 'sample-240p',
    });
    const done = ended(engine);
    await engine.client.call('runs.start', {
      plan: planOf({ from: 'lab', by: ['local'], viewers: 10, holdMs: 60_000 }, { nodes, publish: [] }),
    });
    // The origin must have reported the stream before its end can be detected.
    await waitForRun(engine, ({ figures }) => figures.connected === 10 && figures.originViewers === 10);
    await engine.client.call('publish.stop', { job });
    const view = await done;
    expect(engine.events).toContainEqual(
      expect.objectContaining({ kind: 'stream', mark: 'lost', sentence: 'Stream cam is no longer live on lab' }),
    );
    expect(view.failures).toMatchObject([{ stage: 'media', cause: 'alert', count: 10 }]);
    const { verdict, reasons = [] } = view.verdict ?? {};
    expect(reasons.map(({ sentence }) => sentence)).toContain(
      '0 of 10 viewers were connected at the end of the hold, 0 %. 10 viewers failed at media: alert.',
    );
    // A closed connection may be caused by a busy machine: with other load, the verdict names that first.
    expect(verdict).toBe(reasons[0]?.causedBy === 'machine' ? 'inconclusive' : 'fail');
  });

  it('a tester that dies during the run: reported at once, and the run is inconclusive', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: planOf({ viewers: 10, holdMs: 30_000 }) });
    await waitForRun(engine, (run) => run.figures.connected === 10);
    const [, tester = Number.NaN] = engine.agentPids();
    process.kill(tester, 'SIGKILL');
    const view = await done;
    expect(view.verdict).toMatchObject({ verdict: 'inconclusive' });
    expect(view.verdict?.sentence).toContain('audience');
    expect(engine.events.filter(({ kind, mark }) => kind === 'node' && mark === 'lost')).toHaveLength(1);
  });
});

describe.runIf(process.platform === 'linux')('a disk that does not answer', () => {
  it('costs no viewer and no sample, is named, and does not delay Stop', async () => {
    const disk = freezableDisk(temporaryFolder(), process.pid);
    if (disk.how === 'process') console.warn('Nothing can be mounted here: the writing process is stopped instead.');
    // Before what it is undone after: it is used until the engine has ended.
    later(() => disk.remove());
    const engine = engineInTemporaryFolder({ runsFolder: disk.folder });
    later(() => disk.thaw());
    const emitted = new Map<number, number>();
    engine.client.on('samples', ({ keys, key, timeMs, value }) =>
      key.forEach((place, row) => {
        const of = keys[place];
        if (of?.node === 'audience' && of.series === 'viewersConnected')
          emitted.set(Math.round(timeMs[row] ?? 0), value[row] ?? 0);
      }),
    );
    const isFull = waitForRun(engine, ({ figures }) => figures.connected === 100);
    await engine.client.call('runs.start', { plan: planOf({ viewers: 100, ratePerSecond: 100, holdMs: 600_000 }) });
    await isFull;

    disk.freeze();
    // Longer than agents wait for their console.
    await sleep(15_000);
    const { run } = await engine.client.call('engine.state', {});
    expect(run?.figures).toMatchObject({ connected: 100, failed: 0 });
    const named = engine.events.filter(({ sentence }) => sentence.includes('has not answered for 2 s'));
    expect(named.map(({ sentence }) => sentence)).toEqual([expect.stringContaining(`The disk of ${disk.folder} `)]);
    await expect(engine.client.call('runs.list', {})).rejects.toThrow(`The disk of ${disk.folder} has not answered`);

    const done = ended(engine);
    const stopped = engine.client.call('runs.stopAll', { force: false });
    // It is frozen for longer than a slow machine needs to disconnect them.
    expect(await Promise.race([stopped, sleep(30_000)])).toBeDefined();
    const ending = (await engine.client.call('engine.state', {})).run;
    expect(ending).toMatchObject({ state: 'stopping', figures: { connected: 0, present: 0 } });

    disk.thaw();
    const view = await done;
    expect(view.verdict).toMatchObject({ verdict: 'stopped' });
    expect(view.failures).toEqual([]);
    expect(engine.events.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(/^The disk of .* answers again after \d+ s; pending data is saved\.$/),
    );
    await engine.shutdown();
    const reader = openRunLibrary(disk.folder).open(view.id);
    later(() => reader.close());
    const { timeMs, value } = reader.values('audience', 'viewersConnected');
    const saved = new Map(timeMs.map((ms, i) => [ms, value[i]]));
    expect(emitted.size).toBeGreaterThan(15);
    expect([...emitted].filter(([ms, count]) => saved.get(ms) !== count)).toEqual([]);
    expect(reader.integrity().state).toBe('verified');
    expect(reader.events().map(({ id }) => id)).toEqual(engine.events.map(({ id }) => id));
  });
});
