import { afterEach, expect, it } from 'vitest';
import type { PlanSearch } from '../../src/domain/plan/plan';
import type { RunView } from '../../src/domain/run';
import type { LabConditions } from '../../src/contract/labProtocol';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, planOf, runThat, type TestEngine } from './support';

/**
 * A search of the real engine on a lab with a made ceiling, coarse and small. `npm run bench limit` is the long version, with twenty ceilings up
 * to 800.
 */
afterEach(cleanUp);

const stream = 'cam';
const search: PlanSearch = {
  fromViewers: 8,
  mostViewers: 16,
  settleMs: 2500,
  measureMs: 2000,
  repeats: 1,
  precisionPercent: 40,
};

interface Searching {
  readonly engine: TestEngine;
  readonly done: Promise<RunView>;
  readonly run: string;
}

/** An engine whose lab has such a ceiling, and a run that looks for it. */
async function searching(ceiling: LabConditions, over: Partial<PlanSearch> = {}): Promise<Searching> {
  const engine = engineInTemporaryFolder();
  await engine.client.call('publish.start', { node: 'lab', stream, source: 'sample-240p' });
  await engine.client.call('lab.conditions', { stream, ...ceiling });
  const wanted = { ...search, ...over };
  const plan = planOf(
    { viewers: wanted.mostViewers, ratePerSecond: 100, holdMs: 0, search: wanted },
    {
      publish: [],
      // The machine of a test may be busy with anything; how busy is not what is tested.
      expect: { connected: { comparison: '>=', value: 99 }, degraded: { comparison: '<=', value: 1 } },
    },
  );
  const done = ended(engine);
  const { run } = await engine.client.call('runs.start', { plan });
  return { engine, done, run };
}

it('finds the size from which on the lab stalls, keeps it in the file, and sends everybody home', async () => {
  const { engine, done, run } = await searching({ degradeFrom: 12 });
  const view = await done;
  const limit = view.limit;
  expect(limit, JSON.stringify(limit)).toMatchObject({ state: 'found', repeats: 1 });
  expect(Math.abs(12 - (limit?.viewers ?? 0))).toBeLessThanOrEqual(limit?.plusMinus ?? 0);
  const results = new Map(limit?.trials.map(({ viewers, result }) => [viewers, result]));
  // A machine that is busy with something else may make its tester a bound too, which is then said.
  for (const [viewers, result] of results)
    expect(viewers < 12 ? ['met'] : ['missed', 'tester-limited'], `${viewers}`).toContain(result);
  // Beyond its ceiling on purpose: the verdict is of what was found.
  expect(view.verdict).toMatchObject({ verdict: 'pass' });
  expect(view.figures.present).toBe(0);
  const reader = openRunLibrary(engine.folder).open(run);
  expect(reader.view().limit).toEqual(limit);
  reader.close();
});

it('names a server that refuses, and does not take its refusals for anything else', async () => {
  const { done } = await searching({ refuseFrom: 10 });
  const { limit, failures } = await done;
  expect(limit, JSON.stringify(limit)).toMatchObject({ state: 'found' });
  expect(Math.abs(10 - (limit?.viewers ?? 0))).toBeLessThanOrEqual(limit?.plusMinus ?? 0);
  expect(failures.every(({ cause }) => cause === 'http-503')).toBe(true);
  const missed = limit?.trials.filter(({ result }) => result === 'missed') ?? [];
  for (const { sentence } of missed)
    expect(sentence).toMatch(/were connected.*Most failed at signalling: http-503\.$/);
  // On a machine that others fill meanwhile its CPU may rightly be named.
  expect(['origin-refuses', 'origin-cpu']).toContain(limit?.gaveOut?.what);
});

it('says what it knew when somebody stops it', async () => {
  const { engine, done } = await searching({});
  await runThat(engine, ({ limit }) => limit?.held !== undefined && limit.now?.viewers === 16);
  await engine.client.call('runs.stopAll', { force: false });
  const view = await done;
  expect(view).toMatchObject({ verdict: { verdict: 'stopped' }, figures: { present: 0 } });
  expect(view.limit).toMatchObject({
    state: 'stopped',
    held: 8,
    sentence: 'Stopped; 8 viewers held, more were not tried yet.',
  });
});
