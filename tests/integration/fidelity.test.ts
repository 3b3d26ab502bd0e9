import { afterEach, expect, it } from 'vitest';
import { applySet, planToYaml } from '../../src/domain/plan/planYaml';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, planOf } from './support';

afterEach(cleanUp);

it('viewers with full browser behaviour pull from the lab, as recorded in the run file', async () => {
  const engine = engineInTemporaryFolder();
  const text = planToYaml(planOf({ viewers: 10, ratePerSecond: 10, holdMs: 2000 }));
  const { plan } = applySet(text, ['pull.fidelity=browser']);
  const end = ended(engine);
  const { run } = await engine.client.call('runs.start', { plan });
  const view = await end;
  expect(view.verdict).toMatchObject({ verdict: 'pass' });
  expect(view.figures).toMatchObject({ connectedPeak: 10, failed: 0, present: 0 });
  const reader = openRunLibrary(engine.folder).open(run);
  try {
    expect(reader.view().plan.pull?.fidelity).toBe('browser');
  } finally {
    reader.close();
  }
});

it('is refused for viewers that do not support it, also without form and YAML', async () => {
  const engine = engineInTemporaryFolder();
  const plan = planOf({ protocol: 'rtmp', fidelity: 'browser' });
  await expect(engine.client.call('runs.start', { plan })).rejects.toMatchObject({
    code: 'bad-plan',
    message: 'Only WHEP supports browser fidelity, rtmp does not. Remove it. (pull.fidelity)',
  });
});
