import { afterEach, expect, it } from 'vitest';
import { postOffer } from '../../src/engine/servers/signalling';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, later, planOf, waitForRun } from './support';
import { standin } from './wcsSupport';

afterEach(cleanUp);

it('a run with a WCS at both ends passes, and leaves no viewer behind', async () => {
  const [origin, tester] = [await standin(), await standin()];
  origin.publish('cam');
  const engine = engineInTemporaryFolder();
  const plan = planOf(
    { from: 'wcs-1', by: ['wcs-2'], protocol: 'wcs', viewers: 40, ratePerSecond: 40, holdMs: 3000 },
    {
      nodes: {
        'wcs-1': { server: 'wcs', url: origin.url, ws: origin.ws },
        'wcs-2': { tester: 'wcs', url: tester.url },
      },
      // The tester also pushes copies of a stream of its own.
      publish: [
        {
          ...{ stream: 'copy-{n}', node: 'wcs-1', by: 'wcs-2', source: 'stream://own' },
          ...{ publishers: 3, ratePerSecond: 20, protocol: 'rtmp' },
        },
        // The origin pulls a camera itself.
        { stream: 'rtsp://camera/1', node: 'wcs-1', source: 'rtsp://camera/1' },
      ],
    },
  );
  const end = ended(engine);
  const full = waitForRun(engine, (run) => run.figures.connected === 40 && run.figures.originViewers === 40);
  await engine.client.call('runs.start', { plan });
  await full;
  expect([...tester.node.pushes.values()].map(({ rtmpUrl }) => rtmpUrl)).toEqual(
    [1, 2, 3].map((number) => `rtmp://127.0.0.1:1935/live/copy-${number}`),
  );
  expect(origin.node.published('rtsp://camera/1')?.status).toBe('PUBLISHING');
  const run = await end;
  expect(origin.node.rtsp.size).toBe(0);
  expect(tester.node.pushes.size).toBe(0);
  expect(run.verdict?.verdict).toBe('pass');
  expect(run.figures).toMatchObject({ connectedPeak: 40, failed: 0, present: 0 });
  expect(tester.node.pulls.size).toBe(0);
  expect(origin.node.playing()).toHaveLength(0);
});

it("agents watch a WCS by its own signalling, and end with the server's words", async () => {
  const origin = await standin();
  origin.publish('cam');
  const engine = engineInTemporaryFolder();
  // The media is that of the lab: the stand-in has the signalling only.
  await engine.client.call('lab.start', {});
  await engine.client.call('publish.start', { node: 'lab', stream: 'cam', source: 'sample-240p' });
  const { url } = await engine.client.call('player.address', { node: 'lab', stream: 'cam' });
  origin.node.media = async (_kind, _stream, offer) => ({
    answerSdp: (await postOffer(url, offer, { who: 'lab' })).answerSdp,
    flows: async () => {
      const all = { filter: '', sortBy: 'stream', descending: false, offset: 0, limit: 1 } as const;
      const { streams } = await engine.client.call('nodes.streams', { node: 'lab', ...all });
      return streams.some(({ viewers = 0 }) => viewers > 0);
    },
  });
  const plan = planOf(
    { from: 'wcs-1', by: ['audience'], protocol: 'wcs', viewers: 20, ratePerSecond: 40, holdMs: 4000 },
    {
      nodes: { 'wcs-1': { server: 'wcs', url: origin.url, ws: origin.ws }, audience: { tester: 'local' } },
      publish: [],
      // Sessions without media, each for a drawn time.
      also: [
        {
          ...{ stream: 'none', from: 'wcs-1', by: ['audience'], protocol: 'wcs', withoutMedia: true },
          ...{ viewers: 5, ratePerSecond: 40, holdMs: 4000, watchFor: { minMs: 1000, maxMs: 2000 } },
        },
      ],
    },
  );
  const end = ended(engine);
  const full = waitForRun(
    engine,
    ({ figures }) => figures.connected === 25 && figures.originViewers === 20 && figures.mediaInMbps > 1,
  );
  const { run } = await engine.client.call('runs.start', { plan });
  await full;
  const [first] = origin.node.playing();
  origin.node.endStream(first?.mediaSessionId ?? '', 'Stopped by rest terminate');
  const after = await waitForRun(engine, ({ figures }) => figures.failed === 1);
  expect(after.failures).toMatchObject([{ stage: 'media', cause: 'rejected', count: 1 }]);
  expect(after.failures[0]?.example.detail).toContain('ended the session: Stopped by rest terminate.');
  const view = await end;
  expect(view.figures).toMatchObject({ connectedPeak: 25, failed: 1, present: 0 });
  expect(origin.node.playing()).toHaveLength(0);
  expect(origin.node.connections.size).toBe(0);
  const reader = openRunLibrary(engine.folder).open(run);
  later(() => reader.close());
  expect(reader.values('audience:2', 'replacedTotal').value.at(-1)).toBeGreaterThan(4);
  expect(Math.max(...reader.values('audience:2', 'rttP50Ms').value)).toBeGreaterThan(0);
  expect(reader.values('audience:2', 'viewersFailed').value.at(-1)).toBe(0);
  expect(reader.events().filter(({ kind }) => kind === 'disagreement')).toEqual([]);
  const { viewers } = await engine.client.call('runs.viewers', { run, offset: 0, limit: 100 });
  expect(viewers.filter(({ frames }) => frames > 10).length >= 20).toBe(true);
});
