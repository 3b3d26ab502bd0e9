import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualEngine, virtualPlan } from '../../../tests/support/virtualEngine';
import type { RunView } from '../../domain/model/run';
import { openRunLibrary, readSaved } from '../store';

let engine: VirtualEngine;
beforeEach(() => {
  engine = new VirtualEngine();
});
afterEach(() => engine.close());

async function holding(holdMs: number, reconnect = false): Promise<void> {
  await engine.start(virtualPlan({ holdMs, reconnect }));
  await engine.until(({ figures }) => figures.connected === 20);
  await engine.time.pass(5000);
}

/** Milliseconds between the counts of the audience in the saved run. */
const intervals = ({ id }: RunView): readonly number[] =>
  readSaved(openRunLibrary(engine.folder), id, (reader) => {
    const { timeMs } = reader.values('audience', 'viewersConnected');
    return Array.from(timeMs.slice(1), (each, index) => each - (timeMs[index] ?? 0));
  });

const heldSeconds = ({ phases }: RunView): number => {
  const { startMs = 0, endMs = 0 } = phases.find(({ name }) => name === 'hold') ?? {};
  return (endMs - startMs) / 1000;
};

describe('a clock that is set during a run', () => {
  it('moves neither its hold nor its samples, and is reported', async () => {
    await holding(15_000);
    for (const setByMs of [-3_600_000, -10_000, 10_000, 3_600_000]) {
      engine.time.setClock(setByMs);
      await engine.time.pass(2500);
    }
    const view = await engine.ended();
    for (const step of ['back by 3,600 s', 'back by 10 s', 'forward by 10 s', 'forward by 3,600 s'])
      expect(engine.sentences).toContain(
        `The clock of this machine was set ${step}; times of this run continue without the step.`,
      );
    expect(heldSeconds(view)).toBe(15);
    expect(new Set(intervals(view))).toEqual(new Set([1000]));
  });
});

describe('a console that does not run for a while', () => {
  it('reports its pause, and has a gap that is not judged', async () => {
    await holding(30_000);
    await engine.time.suspend(15_000);
    const view = await engine.ended();
    expect(engine.sentences.join('\n')).toMatch(/This console did not run for 1[45] s: its process was stopped/);
    expect(heldSeconds(view)).toBe(30);
    expect(view.verdict?.outages?.gaps).toMatchObject({ count: 1, sumMs: 15_050 });
  });
});

describe('a link to a tester that is lost', () => {
  it('is established again, and no sample of the meantime is missing', async () => {
    await holding(30_000);
    const { audience } = engine.agents;
    audience.isUnreachable = true;
    audience.cut();
    await engine.time.pass(12_000);
    expect(engine.sentences).toContain('Connection to local lost; reconnecting.');
    expect((await engine.run())?.state).toBe('running');
    audience.isUnreachable = false;
    await engine.time.pass(2000);
    expect(engine.sentences).toContain('audience responds again');
    const view = await engine.ended();
    expect(heldSeconds(view)).toBe(30);
    expect(new Set(intervals(view))).toEqual(new Set([1000]));
    expect(view.verdict?.verdict).toBe('pass');
  });

  it('is tried again after 0.1, 0.25, 0.5 and 1 s, then every 2 s', async () => {
    await holding(30_000);
    const { audience } = engine.agents;
    audience.isUnreachable = true;
    audience.cut();
    const before = audience.dials;
    const tries: number[] = [];
    for (const ms of [100, 250, 500, 1000, 2000, 2000]) {
      await engine.time.pass(ms);
      tries.push(audience.dials - before);
    }
    expect(tries).toEqual([1, 2, 3, 4, 5, 6]);
  });

  it('is also lost without a frame for 6 s, and its node without data for 4 s', async () => {
    await holding(30_000);
    const { audience } = engine.agents;
    audience.isFrozen = true;
    await engine.time.pass(5000);
    expect(engine.sentences).toContain('No data from local for 4 s.');
    expect(audience.dials).toBe(1);
    await engine.time.pass(5000);
    expect(audience.dials).toBe(2);
    audience.isFrozen = false;
    const view = await engine.ended();
    expect(engine.sentences).toContain('audience responds again');
    expect(view.verdict?.outages?.gaps.count).toBe(1);
  });
});

describe('an outage of the media', () => {
  it('of viewers that connect again is measured, and is judged by its limit of 5 s', async () => {
    await holding(30_000, true);
    engine.agents.audience.lose(20);
    await engine.time.pass(12_000);
    engine.agents.audience.lose(0);
    const view = await engine.ended();
    expect(heldSeconds(view)).toBe(30);
    expect(view.verdict?.outages).toMatchObject({ count: 1, longestMs: 12_000 });
  });

  it('that no viewer returns from ends the run 5 s later', async () => {
    await holding(600_000);
    engine.agents.audience.lose(20);
    const view = await engine.ended(30_000);
    expect(heldSeconds(view)).toBe(11);
    expect(view.figures).toMatchObject({ failed: 20, present: 0 });
  });
});
