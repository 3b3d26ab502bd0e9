import { afterEach, expect, it } from 'vitest';
import { cleanUp, ended, engineInTemporaryFolder, planOf, waitForRun } from './support';
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
      publish: [],
    },
  );
  const end = ended(engine);
  const full = waitForRun(engine, (run) => run.figures.connected === 40 && run.figures.originViewers === 40);
  await engine.client.call('runs.start', { plan });
  await full;
  const run = await end;
  expect(run.verdict?.verdict).toBe('pass');
  expect(run.figures).toMatchObject({ connectedPeak: 40, failed: 0, present: 0 });
  expect(tester.node.pulls.size).toBe(0);
  expect(origin.node.playing()).toHaveLength(0);
});
