import { afterAll, expect, it } from 'vitest';
import { openRunLibrary } from '../../src/engine/store';
import { testIds } from '../../src/renderer/ui/testIds';
import { until } from '../e2e/app';
import { cleanUp, later, planOf, waitForRun } from '../integration/support';
import { RealPlayer } from './realPlayer';

afterAll(cleanUp);

const node = 'lab';
const stream = 'blind-cam';
const faultMs = 700;
/** Long enough for a fault in its middle, however late this test sees its start. */
const playMs = 4000;

it('spot checks are blind, measure a freeze of the lab as bad, and are recorded', async () => {
  const player = await RealPlayer.open();
  const { page, engine } = player;
  const plan = planOf(
    { from: node, by: ['local'], stream, viewers: 1, ratePerSecond: 10, holdMs: 0, browserViewers: 0 },
    {
      nodes: { lab: { server: 'lab' }, local: { tester: 'local' } },
      publish: [{ stream, node, source: 'sample-240p' }],
    },
  );
  const { run } = await engine.client.call('runs.start', { plan });
  await waitForRun(engine, ({ figures }) => figures.connected === 1);
  const step = (kind: string): Promise<unknown> =>
    until(
      `the step ${kind}`,
      async () => (await page.getByTestId(testIds.spotCheckStep).getAttribute('data-step')) === kind,
    );
  const condition = (isFrozen: boolean): Promise<unknown> =>
    engine.client.call('lab.conditions', { stream, lossPercent: isFrozen ? 100 : 0, noRepair: isFrozen });

  await page.evaluate(([id, target, ms]) => window.playerPage.spotCheck(id, [target], ms), [
    run,
    { node, stream, protocol: 'whep', nominalFps: 25 },
    playMs,
  ] as const);
  await step('asking');
  const blind = await player.shows(testIds.spotCheck);
  expect(blind).toContain('Smooth?');
  expect(blind).not.toMatch(/blind-cam|lab|WHEP|fps/);
  await page.keyboard.press('1');
  const smooth = await player.shows(testIds.spotCheck);
  expect(smooth).toMatch(
    /You: smooth\. Measured: (smooth, no freeze|minor faults, 1 freeze of 0\.\d+ s), 2\d\.\d fps\./,
  );
  expect(smooth).toContain(`${stream} · ${node} · WHEP`);

  await page.keyboard.press('Enter');
  await step('watching');
  await condition(true);
  await new Promise((resolve) => setTimeout(resolve, faultMs));
  await condition(false);
  await step('asking');
  await page.keyboard.press('r');
  await step('watching');
  await step('asking');
  await page.keyboard.press('r');
  await page.keyboard.press('3');
  expect(await player.shows(testIds.spotCheckResult)).toMatch(/^You: bad\. Measured: bad, \d freezes? of [\d.]+ s/);

  const hasEnded = waitForRun(engine, ({ state }) => state === 'ended');
  await engine.client.call('runs.stopAll', { force: true });
  await hasEnded;
  const reader = openRunLibrary(engine.folder).open(run);
  later(() => reader.close());
  const [first, second, ...others] = reader.events().filter(({ spotCheck }) => spotCheck);
  expect(others).toEqual([]);
  expect(first?.sentence).toMatch(/^Spot check of blind-cam on lab: rated smooth; measured (smooth|minor)/);
  expect(second?.sentence).toContain('rated bad; measured bad');
  // The second was played twice.
  expect(first?.spotCheck?.seconds).toBeCloseTo(playMs / 1000, 0);
  expect(second?.spotCheck?.seconds).toBeCloseTo((2 * playMs) / 1000, 0);
  expect(player.errors).toEqual([]);
}, 60_000);
