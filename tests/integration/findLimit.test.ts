import { afterEach, expect, it } from 'vitest';
import type { PlanSearch } from '../../src/domain/model/audienceValues';
import type { RunView } from '../../src/domain/model/run';
import type { LabConditions } from '../../src/contract/labProtocol';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, planOf, waitForRun, type TestEngine } from './support';

/**
 * A search of the real engine on a lab with an artificial limit, coarse and small. `npm run bench limit` is the long
 * version, with twenty limits up to 800.
 */
afterEach(cleanUp);

const stream = 'cam';
const search: PlanSearch = {
  fromViewers: 8,
  maxViewers: 16,
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

/** An engine with such a lab, and a run with a search. */
async function searching(ceiling: LabConditions, over: Partial<PlanSearch> = {}): Promise<Searching> {
  const engine = engineInTemporaryFolder();
  await engine.client.call('publish.start', { node: 'lab', stream, source: 'sample-240p' });
  await engine.client.call('lab.conditions', { stream, ...ceiling });
  const wanted = { ...search, ...over };
  const plan = planOf(
    { viewers: wanted.maxViewers, ratePerSecond: 100, holdMs: 0, search: wanted },
    {
      publish: [],
      // Load of the test machine is not under test.
      expect: { connected: { comparison: '>=', value: 99 }, degraded: { comparison: '<=', value: 1 } },
    },
  );
  const done = ended(engine);
  const { run } = await engine.client.call('runs.start', { plan });
  return { engine, done, run };
}

it('finds the size at which the lab stalls, saves it in the file, and disconnects all viewers', async () => {
  const { engine, done, run } = await searching({ degradeFrom: 12 });
  const view = await done;
  const limit = view.limit;
  expect(limit, JSON.stringify(limit)).toMatchObject({ state: 'found' });
  expect(Math.abs(12 - (limit?.viewers ?? 0))).toBeLessThanOrEqual(limit?.plusMinus ?? 0);
  // A trial during which other programs used this machine's CPU has no result, and names them.
  const trials = limit?.trials.filter(({ busyNode }) => busyNode === undefined) ?? [];
  expect(trials.length).toBeGreaterThanOrEqual(2);
  // On a busy machine the tester may be limited too, which is then reported.
  for (const { viewers, result } of trials)
    expect(viewers < 12 ? ['met'] : ['missed', 'tester-limited'], `${viewers}`).toContain(result);
  // Beyond the limit on purpose: the verdict judges the result only.
  expect(view.verdict).toMatchObject({ verdict: 'pass' });
  expect(view.figures.present).toBe(0);
  const reader = openRunLibrary(engine.folder).open(run);
  expect(reader.view().limit).toEqual(limit);
  reader.close();
});

it('names refusals of the server as the bottleneck', async () => {
  const { done } = await searching({ refuseFrom: 10 });
  const { limit, failures } = await done;
  expect(limit, JSON.stringify(limit)).toMatchObject({ state: 'found' });
  expect(Math.abs(10 - (limit?.viewers ?? 0))).toBeLessThanOrEqual(limit?.plusMinus ?? 0);
  expect(failures.every(({ cause }) => cause === 'http-503')).toBe(true);
  const missed = limit?.trials.filter(({ result }) => result === 'missed') ?? [];
  for (const { sentence } of missed)
    expect(sentence).toMatch(
      /were connected.*Most failed at signalling: the server is overloaded or out of sessions \(HTTP 503\)\.$/,
    );
  // On a busy machine its CPU may be named correctly.
  expect(['origin-refuses', 'origin-cpu']).toContain(limit?.bottleneck?.what);
});

it('reports the known bounds when stopped', async () => {
  const { engine, done } = await searching({});
  await waitForRun(engine, ({ limit }) => limit?.maxMet !== undefined && limit.now?.viewers === 16);
  await engine.client.call('runs.stopAll', { force: false });
  const view = await done;
  expect(view).toMatchObject({ verdict: { verdict: 'stopped' }, figures: { present: 0 } });
  expect(view.limit).toMatchObject({
    state: 'stopped',
    maxMet: 8,
    sentence: 'Stopped; 8 viewers passed, more were not tried yet.',
  });
});
