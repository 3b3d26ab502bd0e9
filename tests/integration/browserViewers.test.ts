import { execFileSync } from 'node:child_process';
import { afterEach, expect, it } from 'vitest';
import type { RunView } from '../../src/domain/model/run';
import { openRunLibrary } from '../../src/engine/store';
import { until } from '../support/until';
import { cleanUp, ended, engineInTemporaryFolder, planOf, viewerPageFolder, type TestEngine } from './support';
import { bench, planFor } from './testerSupport';

afterEach(cleanUp);

/** Processes of browsers with such a word in their command lines. */
function browsers(word: string): number {
  const lines = execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).split('\n');
  return lines.filter((line) => line.includes('chromium') && line.includes(word)).length;
}

/** The run with its browser viewers as recorded in its file. */
async function saved(engine: TestEngine, run: RunView): Promise<RunView> {
  const reader = openRunLibrary(engine.folder).open(run.id);
  try {
    expect(reader.summaries().map(({ series }) => series)).toContain('browserFrameRate');
    return await Promise.resolve(reader.view());
  } finally {
    reader.close();
  }
}

it('play in a Chromium of an SSH tester, beside its audience, and leave nothing there', async () => {
  const { engine, sshd } = await bench();
  const plan = planFor(sshd, 5, 8000);
  const end = ended(engine);
  await engine.client.call('runs.start', { plan: { ...plan, pull: { ...plan.pull, browserViewers: 2 } } });
  const run = await end;
  expect(run.verdict).toMatchObject({ verdict: 'pass' });
  const { browserViewers } = await saved(engine, run);
  expect(browserViewers).toMatchObject({ by: 'tester-1', planned: 2, failed: 0 });
  expect(browserViewers?.watched).toBeGreaterThanOrEqual(2);
  expect(browserViewers?.browsers.frameRate).toBeGreaterThan(15);
  expect(browserViewers?.agreementPercent).toBeGreaterThan(50);
  // Not part of the audience.
  expect(run.figures.connectedPeak).toBe(5);
  expect(engine.events.map(({ sentence }) => sentence)).toContain(
    'Ended; all viewers disconnected, confirmed by origin',
  );
  await until(() => browsers('by=tester-1') === 0, 10_000);
  expect(browsers('by=tester-1')).toBe(0);
});

it('play in a Chromium of this machine where there is no window', async () => {
  const engine = engineInTemporaryFolder({ viewerPageFolder });
  const end = ended(engine);
  const plan = planOf({ viewers: 5, ratePerSecond: 5, holdMs: 6000, browserViewers: 1 });
  await engine.client.call('runs.start', { plan });
  const { browserViewers } = await saved(engine, await end);
  expect(browserViewers).toMatchObject({ by: 'this machine', failed: 0 });
  expect(browserViewers?.browsers.frameRate).toBeGreaterThan(15);
});

it('report in a sentence what is missing', async () => {
  const engine = engineInTemporaryFolder();
  const end = ended(engine);
  await engine.client.call('runs.start', { plan: planOf({ viewers: 2, holdMs: 500, browserViewers: 1 }) });
  const { verdict, browserViewers } = await end;
  expect(verdict).toMatchObject({ verdict: 'pass' });
  expect(browserViewers).toBeUndefined();
  expect(engine.events.map(({ sentence }) => sentence)).toContain(
    'No browser viewers on this machine: This installation has no page of browser viewers.',
  );
});
