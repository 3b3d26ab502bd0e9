import { afterEach, expect, it } from 'vitest';
import { sampleSource } from '../../src/domain/model/plan';
import { parsePlan } from '../../src/domain/plan/planYaml';
import { openRunLibrary } from '../../src/engine/store';
import { resultOf } from '../../src/engine/report/runResult';
import { until } from '../support/until';
import { cleanUp, ended, engineInTemporaryFolder, later, waitForRun } from './support';

afterEach(cleanUp);

/** WHIP publishers of the sample to the lab; load of the test machine is not under test. */
const planOf = (hold: string, publishers = 12) =>
  parsePlan(`name: Ingest
nodes:
  origin: { server: lab }
  load: { tester: local }
publish: [{ stream: 'cam-{n}', node: origin, source: sample-240p, by: load, publishers: ${publishers}, rate: 10/s, hold: ${hold}, protocol: whip }]
expect: { connected: ">= 100%", cpu: off, gcPause: off }
`).plan;

/** Whether the lab lists no streams; it is asked for them once a second. */
function hasNoStreams({ client }: ReturnType<typeof engineInTemporaryFolder>): Promise<boolean> {
  return until(async () => {
    const { nodes } = await client.call('engine.state', {});
    return nodes.every(({ streams }) => streams.length === 0);
  });
}

it('ramps up publishers alone over WHIP, holds them, ends them and judges them', async () => {
  const engine = engineInTemporaryFolder();
  const end = ended(engine);
  const full = waitForRun(engine, ({ figures, phases }) => phases.at(-1)?.name === 'hold' && figures.connected === 12);
  const { run } = await engine.client.call('runs.start', { plan: planOf('4s') });
  const { figures } = await full;
  expect(figures).toMatchObject({ requested: 12, failed: 0 });
  const view = await end;
  expect(view.verdict).toMatchObject({ verdict: 'pass' });
  expect(view.verdict?.sentence).toMatch(/^All 12 publishers connected within [\d.]+ s; all expectations met\.$/);
  expect(view.phases.map(({ name }) => name)).toEqual(['prepare', 'baseline', 'ramp', 'hold', 'drain']);
  const hold = view.phases.find(({ name }) => name === 'hold');
  // The phase is logged after the figures of its start are known.
  expect((hold?.endMs ?? 0) - (hold?.startMs ?? 0)).toBeGreaterThanOrEqual(3800);
  expect(view.published).toMatchObject([{ stream: 'cam-{n}', node: 'origin', by: 'load', livePeak: 12, failed: 0 }]);
  expect(view.figures).toMatchObject({ connectedPeak: 12, present: 0, mediaInMbps: 0 });
  expect(view.publisherOutages).toBeUndefined();
  // Their streams have ended with the run.
  expect(await hasNoStreams(engine)).toBe(true);
  const sentences = engine.events.map(({ sentence }) => sentence);
  expect(sentences).toContain('Run started: 12 publishers of cam-{n} to origin on load, 10 /s, hold 4 s');
  expect(sentences).toContain('Ended; all publishers disconnected');
  expect(sentences.filter((sentence) => /viewer/.test(sentence))).toEqual([]);

  const reader = openRunLibrary(engine.folder).open(run);
  later(() => reader.close());
  expect(Math.max(...reader.values('load', 'publishersLive').value)).toBe(12);
  expect(Math.max(...reader.values('load', 'publishMbps').value)).toBeGreaterThan(0.5);
  const result = resultOf(reader, 'run', null);
  expect(result.viewers).toEqual({ requested: 0, connectedPeak: 0, connectedEnd: null, failed: 0, timeToAllMs: null });
  expect(result.publishers).toMatchObject({ requested: 12, connectedPeak: 12, connectedEnd: 12, failed: 0 });
  expect(result.publishers?.sentMbps).toBeGreaterThan(0.5);
  expect(result.expectations.map(({ name, result: found }) => [name, found])).toEqual([
    ['publishers connected >= 100 %', 'met'],
    [expect.stringContaining('longest outage'), 'met'],
  ]);
}, 60_000);

it('ends publishers alone on a stop, and takes nothing else into their run', async () => {
  const engine = engineInTemporaryFolder();
  const end = ended(engine);
  const full = waitForRun(engine, ({ figures }) => figures.connected === 3);
  await engine.client.call('runs.start', { plan: planOf('until-stopped', 3) });
  await full;
  await expect(engine.client.call('runs.start', { plan: planOf('4s') })).rejects.toThrow(/Stop the active run first/);
  await engine.client.call('runs.stopAll', { force: false });
  const view = await end;
  // Until stopped is the plan, if its hold had begun.
  expect(view.figures).toMatchObject({ connectedPeak: 3, present: 0 });
  expect(await hasNoStreams(engine)).toBe(true);
}, 60_000);

it('counts its own publishers only, though their tester publishes another stream too', async () => {
  const engine = engineInTemporaryFolder();
  const end = ended(engine);
  const full = waitForRun(engine, ({ figures }) => figures.connected === 3);
  const { run } = await engine.client.call('runs.start', { plan: planOf('5s', 3) });
  await full;
  await engine.client.call('publish.start', {
    ...{ node: 'lab', stream: 'other', source: sampleSource, by: 'local', publishers: 2 },
  });
  const view = await end;
  expect(view.verdict?.sentence).toMatch(/^All 3 publishers connected/);
  const reader = openRunLibrary(engine.folder).open(run);
  later(() => reader.close());
  expect(Math.max(...reader.values('load', 'publishersLive').value)).toBe(3);
}, 60_000);
