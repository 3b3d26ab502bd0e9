import { createServer, type AddressInfo } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunView } from '../../src/domain/model/run';
import { openRunLibrary } from '../../src/engine/store';
import { freezableDisk } from '../support/frozenDisk';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf, temporaryFolder, waitForRun } from './support';
import { sleep } from '../support/until';

afterAll(cleanUp);

// Concurrent: each mostly waits.
describe.concurrent('failures', () => {
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
    expect(view.verdict).toMatchObject({ verdict: 'not-started' });
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
    expect(reasons.map(({ sentence }) => sentence)).toContainEqual(
      expect.stringMatching(
        /^0 of 10 viewers were connected at the end of the hold, 0 %, too few from [\d:]+ on\. 10 viewers failed at media: the server ended the session with an encrypted DTLS alert\.$/,
      ),
    );
    // A closed connection may be caused by a busy machine: with other load, the verdict names that first.
    expect(verdict).toBe(reasons[0]?.causedBy === 'machine' ? 'inconclusive' : 'fail');
  });

  describe('a publisher of the plan', () => {
    const publish = [
      { stream: 'cam', node: 'origin', source: 'sample-240p', by: 'audience', protocol: 'whip' },
    ] as const;
    const full = ({ figures }: RunView): boolean => figures.connected === 10 && figures.originViewers === 10;

    it('that is thrown out is published again: an event with its length, and not a failure of the server', async () => {
      const engine = engineInTemporaryFolder();
      const done = ended(engine);
      await engine.client.call('runs.start', { plan: planOf({ viewers: 10, holdMs: 60_000 }, { publish }) });
      await waitForRun(engine, full);
      await engine.client.call('nodes.terminate', { node: 'origin', stream: 'cam' });
      const view = await done;
      const [outage] = view.publisherOutages ?? [];
      expect(view.publisherOutages).toHaveLength(1);
      expect(outage).toMatchObject({ node: 'origin', by: 'audience', stream: 'cam' });
      expect(outage?.isOriginLost).toBeUndefined();
      const lengthMs = (outage?.toMs ?? Infinity) - (outage?.fromMs ?? 0);
      expect(lengthMs).toBeGreaterThan(400);
      expect(lengthMs).toBeLessThan(60_000);
      const sentences = engine.events.filter(({ kind }) => kind === 'stream').map(({ sentence }) => sentence);
      expect(sentences).toContainEqual(
        expect.stringMatching(/^The publication of cam to origin ended: .*\. Its viewers receive no media\.$/),
      );
      expect(sentences).toContainEqual(expect.stringMatching(/^cam is published again after [\d.]+ s\.$/));
      // All of its viewers were disconnected by the server meanwhile.
      expect(view.figures).toMatchObject({ connectedPeak: 10, failed: 10 });
      const { verdict, reasons = [], outages } = view.verdict ?? {};
      expect(verdict).toBe('inconclusive');
      expect(reasons[0]?.causedBy).toBe('publisher');
      expect(reasons[0]?.sentence).toMatch(/^The publication of cam to origin by audience was interrupted at /);
      expect(outages).toMatchObject({ count: 1, list: [{ lowest: 0, requested: 10, causedBy: 'publisher' }] });
    });

    it('is lost together with its server: the server is the cause', async () => {
      const engine = engineInTemporaryFolder();
      const done = ended(engine);
      await engine.client.call('runs.start', { plan: planOf({ viewers: 10, holdMs: 60_000 }, { publish }) });
      await waitForRun(engine, full);
      const [lab = Number.NaN] = engine.agentPids();
      process.kill(lab, 'SIGKILL');
      const view = await done;
      // Over UDP a publisher learns of it only after the run.
      expect((view.publisherOutages ?? []).filter(({ isOriginLost }) => !isOriginLost)).toEqual([]);
      expect(view.verdict?.verdict).toBe('fail');
      expect(view.verdict?.reasons.map(({ causedBy }) => causedBy)).not.toContain('publisher');
    });
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
    // Until it is named; a drill freezes it for longer than agents wait for their console.
    await sleep(4000);
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
    expect(emitted.size).toBeGreaterThan(3);
    expect([...emitted].filter(([ms, count]) => saved.get(ms) !== count)).toEqual([]);
    expect(reader.integrity().state).toBe('verified');
    expect(reader.events().map(({ id }) => id)).toEqual(engine.events.map(({ id }) => id));
  });
});
