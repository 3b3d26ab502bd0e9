import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualEngine, virtualPlan } from '../../../tests/support/virtualEngine';
import type { PlanStage } from '../../domain/model/audienceValues';
import type { RunView } from '../../domain/model/run';
import { openRunLibrary, readSaved } from '../store';
import { audienceIn } from '../../../tests/support/pullPlan';

let engine: VirtualEngine;
beforeEach(() => {
  engine = new VirtualEngine();
});
afterEach(() => engine.close());

const two = { origin: { server: 'lab' }, one: { tester: 'local' }, two: { tester: 'local' } } as const;

/** Seconds of each phase after the baseline. */
const phases = (view: RunView): ReadonlyArray<readonly [string, number]> =>
  view.phases.slice(2).map(({ name, startMs, endMs = startMs }) => [name, (endMs - startMs) / 1000]);

/** Connected viewers of a node in each second of the saved run. */
const connected = ({ id }: RunView, node: string): readonly number[] =>
  readSaved(openRunLibrary(engine.folder), id, (reader) => [...reader.values(node, 'viewersConnected').value]);

describe('an audience in stages', () => {
  it('has the viewers of each stage for its time, over two testers by weight', async () => {
    const stages: readonly PlanStage[] = [
      { kind: 'ramp', viewers: 20, overMs: 1000 },
      { kind: 'hold', forMs: 5000 },
      { kind: 'spike', viewers: 40, forMs: 5000, ratePerSecond: 40 },
      { kind: 'ramp', viewers: 4, overMs: 4000 },
      { kind: 'hold', forMs: 3000 },
    ];
    const pull = { viewers: 40, ratePerSecond: 40, stages, by: ['one', 'two'], weights: { one: 3 } };
    await engine.start(virtualPlan(pull, { nodes: two }));
    const view = await engine.ended();
    expect(view.verdict).toMatchObject({ verdict: 'pass' });
    expect(view.figures).toMatchObject({ requested: 40, connectedPeak: 40, failed: 0, present: 0 });
    expect(phases(view)).toEqual([
      ['ramp', 1.2],
      ['hold', 5],
      ['ramp', 1],
      ['hold', 5],
      ['ramp', 4],
      ['hold', 3],
      ['drain', 0],
    ]);
    const seconds = (node: string): string => connected(view, node).join(' ');
    const times = (count: number, viewers: number): string => Array<number>(count).fill(viewers).join(' ');
    expect(seconds('one')).toBe(`0 ${times(6, 15)} ${times(5, 30)} 15 12 9 6 ${times(3, 3)} 0`);
    expect(seconds('two')).toBe(`0 ${times(6, 5)} ${times(5, 10)} 5 4 3 2 ${times(3, 1)} 0`);
    expect(engine.sentences.filter((sentence) => sentence.startsWith('Stage '))).toHaveLength(6);
    expect(engine.sentences).toContain('Ended; all viewers disconnected, confirmed by origin');
  });

  it('replaces viewers at each interval of a churn, and keeps their number', async () => {
    const stages: readonly PlanStage[] = [
      { kind: 'ramp', viewers: 20, overMs: 1000 },
      { kind: 'churn', forMs: 30_000, replacePercent: 20, everyMs: 10_000, ratePerSecond: 20 },
    ];
    await engine.start(virtualPlan({ stages, ratePerSecond: 20 }));
    const view = await engine.ended();
    expect(view.figures).toMatchObject({ connectedPeak: 20, failed: 0, present: 0 });
    const dips = connected(view, 'audience').flatMap((viewers, second) => (viewers === 16 ? [second] : []));
    // The last interval would end with the stage.
    expect(dips).toEqual([11, 21]);
  });

  it('can be stopped in the middle of a soak, and all viewers disconnect', async () => {
    const stages: readonly PlanStage[] = [
      { kind: 'ramp', viewers: 40, overMs: 1000 },
      { kind: 'soak', forMs: 8 * 3_600_000 },
    ];
    await engine.start(virtualPlan({ viewers: 40, ratePerSecond: 40, stages }));
    await engine.until(({ figures }) => figures.connected === 40);
    await engine.time.pass(10_000);
    expect((await engine.run())?.figures.connected).toBe(40);
    await engine.during(engine.client.call('runs.stopAll', { force: false }));
    const view = await engine.ended(5000);
    expect(view.verdict?.verdict).toBe('stopped');
    expect(view.figures.present).toBe(0);
  });

  it('runs beside another audience of the same plan, each for its own hold', async () => {
    const pull = { viewers: 10, ratePerSecond: 20, holdMs: 20_000, by: ['one'] };
    await engine.start(
      virtualPlan(pull, {
        nodes: two,
        publish: [
          { stream: 'cam', node: 'origin', source: 'sample-240p' },
          { stream: 'cam-2', node: 'origin', source: 'sample-240p' },
        ],
        also: [
          {
            ...audienceIn(virtualPlan()),
            stream: 'cam-2',
            by: ['two'],
            viewers: 15,
            ratePerSecond: 30,
            holdMs: 10_000,
          },
        ],
      }),
    );
    const view = await engine.ended();
    expect(view.figures).toMatchObject({ requested: 25, connectedPeak: 25, failed: 0 });
    expect(view.verdict?.verdict).toBe('pass');
    const held = (node: string): number => connected(view, node).filter((viewers) => viewers > 0).length;
    expect([held('one'), held('two')]).toEqual([21, 11]);
  });

  it('is disconnected by a stop condition of the plan after its time, and the run does not pass', async () => {
    await engine.start(
      virtualPlan(
        { viewers: 10, ratePerSecond: 1, holdMs: 600_000 },
        { stopWhen: [{ what: 'viewersConnected', node: 'audience', comparison: '>', value: 5, forMs: 10_000 }] },
      ),
    );
    const view = await engine.ended(60_000);
    expect(view.verdict?.verdict).toBe('fail');
    expect(view.verdict?.sentence).toMatch(/^Stop condition reached: Viewers of audience was over 5 for 10 s, /);
    expect(view.figures.present).toBe(0);
    expect(connected(view, 'audience').filter((viewers) => viewers > 5)).toHaveLength(11);
  });
});
