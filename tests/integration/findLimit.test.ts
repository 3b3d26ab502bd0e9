import { afterEach, describe, expect, it } from 'vitest';
import type { PlanSearch } from '../../src/domain/plan';
import type { RunView } from '../../src/domain/run';
import type { LabConditions } from '../../src/contract/labProtocol';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, planOf, runThat, type TestEngine } from './support';

afterEach(cleanUp);

const stream = 'cam';
const search: PlanSearch = {
  fromViewers: 8,
  mostViewers: 40,
  settleMs: 5000,
  measureMs: 2000,
  repeats: 1,
  precisionPercent: 10,
};

/** An engine whose lab has such a ceiling, and a run that looks for it. */
async function searching(
  ceiling: LabConditions,
  over: Partial<PlanSearch> = {},
): Promise<{ engine: TestEngine; done: Promise<RunView> }> {
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
  await engine.client.call('runs.start', { plan });
  return { engine, done };
}

describe('the limit of the lab is found', () => {
  it('where its streams stall', async () => {
    const { engine, done } = await searching({ degradeFrom: 13 });
    const view = await done;
    console.log(
      JSON.stringify(view.limit, null, 1),
      view.verdict,
      engine.events.map((e) => e.sentence).join('\n'),
    );
    expect(view.limit).toMatchObject({ state: 'found' });
  });
});
