import { afterAll, describe, expect, it } from 'vitest';
import type { PlanStage } from '../../src/domain/model/audienceValues';
import type { Audience } from '../../src/domain/model/plan';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, planOf } from './support';

afterAll(cleanUp);

const nodes = { origin: { server: 'lab' }, one: { tester: 'local' }, two: { tester: 'local' } } as const;
const staged = (stages: readonly PlanStage[], over: Partial<Audience> = {}): Partial<Audience> => ({
  viewers: 40,
  ratePerSecond: 40,
  holdMs: 12_000,
  stages,
  ...over,
});

/**
 * Each kind of stage, and ends of such runs, are tested in virtual time (src/engine/runs/stages.test.ts). Concurrent: each
 * mostly waits.
 */
describe.concurrent('an audience in stages', () => {
  it('ramps up, spikes, churns and ramps down, over two testers by weight', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const stages: readonly PlanStage[] = [
      { kind: 'ramp', viewers: 20, overMs: 1000 },
      { kind: 'hold', forMs: 2000 },
      { kind: 'spike', viewers: 40, forMs: 3000, ratePerSecond: 40 },
      { kind: 'churn', forMs: 4000, replacePercent: 20, everyMs: 2000, ratePerSecond: 20 },
      { kind: 'ramp', viewers: 4, overMs: 4000 },
      { kind: 'hold', forMs: 3000 },
    ];
    const plan = planOf(staged(stages, { by: ['one', 'two'], weights: { one: 3 } }), { nodes });
    const { run } = await engine.client.call('runs.start', { plan });
    const view = await done;
    expect(view.verdict?.sentence, JSON.stringify(view.verdict)).toMatch(/./);
    expect(view.figures).toMatchObject({ connectedPeak: 40, failed: 0, present: 0 });
    expect(view.figures.requested).toBe(40);
    const sentences = engine.events.map(({ sentence }) => sentence);
    expect(sentences.filter((sentence) => sentence.startsWith('Stage '))).toHaveLength(7);
    expect(sentences).toContain('Ended; all viewers disconnected, confirmed by origin');

    const reader = openRunLibrary(engine.folder).open(run);
    try {
      const most = (node: string): number => Math.max(...reader.values(node, 'viewersConnected').value);
      expect([most('one'), most('two')]).toEqual([30, 10]);
      const rows = reader.viewers(0, 1000);
      // 40 at the spike, and two intervals of the churn with 4 new viewers each.
      expect(rows.total).toBe(48);
    } finally {
      reader.close();
    }
  });
});
