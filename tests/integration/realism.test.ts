import { afterEach, expect, it } from 'vitest';
import { applySet, planToYaml } from '../../src/domain/plan/planYaml';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, planOf } from './support';

afterEach(cleanUp);

it('viewers as true as browsers watch the lab, and the run file says that they were', async () => {
  const engine = engineInTemporaryFolder();
  const text = planToYaml(planOf({ viewers: 10, ratePerSecond: 10, holdMs: 2000 }));
  const { plan } = applySet(text, ['pull.realism=full']);
  const end = ended(engine);
  const { run } = await engine.client.call('runs.start', { plan });
  const view = await end;
  expect(view.verdict).toMatchObject({ verdict: 'pass' });
  expect(view.figures).toMatchObject({ connectedPeak: 10, failed: 0, present: 0 });
  const reader = openRunLibrary(engine.folder).open(run);
  try {
    expect(reader.view().plan.pull.realism).toBe('full');
  } finally {
    reader.close();
  }
});

it('is refused of viewers that have none, also where no form and no text is between', async () => {
  const engine = engineInTemporaryFolder();
  const plan = planOf({ protocol: 'rtmp', realism: 'full' });
  await expect(engine.client.call('runs.start', { plan })).rejects.toMatchObject({
    code: 'bad-plan',
    message: 'Only viewers by WHEP can be as true as a browser, not those by rtmp. (pull.realism)',
  });
});
