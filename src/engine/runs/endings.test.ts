import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { VirtualEngine, virtualPlan } from '../../../tests/support/virtualEngine';
import type { RunView } from '../../domain/model/run';

let engine: VirtualEngine;
beforeEach(() => {
  engine = new VirtualEngine();
});
afterEach(() => engine.close());

/** How long a phase took, in seconds. */
function secondsOf(view: RunView, phase: string): number {
  const { startMs = 0, endMs = 0 } = view.phases.find(({ name }) => name === phase) ?? {};
  return (endMs - startMs) / 1000;
}

async function holding(holdMs: number): Promise<void> {
  await engine.start(virtualPlan({ holdMs }));
  await engine.until(({ figures }) => figures.connected === 20);
}

const stop = (force: boolean): Promise<{ present: number }> =>
  engine.during(engine.client.call('runs.stopAll', { force }));

describe('a run ends', () => {
  it('after its hold, to the second', async () => {
    await holding(45_000);
    const view = await engine.ended();
    expect(secondsOf(view, 'hold')).toBe(45);
    expect(secondsOf(view, 'drain')).toBeLessThanOrEqual(1);
    expect(view.verdict?.verdict).toBe('pass');
  });

  it('when its origin has died, which is the first reason of the verdict', async () => {
    await holding(30_000);
    await engine.time.pass(10_000);
    await engine.agents.lab.end('SIGKILL');
    const { verdict, endedMs = 0, startedMs } = await engine.ended();
    expect(verdict?.verdict).toBe('fail');
    expect(verdict?.reasons[0]?.sentence).toBe(
      'origin stopped responding at 00:00:14. The lab agent was ended by SIGKILL.',
    );
    expect(engine.sentences.join('\n')).not.toMatch(/Publication .* does not exist/);
    expect((endedMs - startedMs) / 1000).toBe(34);
  });

  it('when its only tester has died, and the origin is not judged', async () => {
    await holding(60_000);
    await engine.time.pass(10_000);
    await engine.agents.audience.end('SIGKILL');
    const view = await engine.ended(10_000);
    expect(view.verdict).toMatchObject({
      verdict: 'inconclusive',
      sentence: "A tester stopped. The origin can't be judged. audience: The audience agent was ended by SIGKILL.",
    });
  });

  it.each([
    // Forced after 15 s, which it would have to answer within 5 s.
    ['answers no order', 'ignored', 20],
    ['keeps its viewers', 'answered', 22],
  ] as const)('although a tester %s: its agent is killed', async (_, stops, seconds) => {
    await holding(10_000);
    const { audience } = engine.agents;
    audience.stops = stops;
    const view = await engine.ended(60_000);
    expect(audience.isAlive).toBe(false);
    expect([secondsOf(view, 'hold'), secondsOf(view, 'drain')]).toEqual([10, seconds]);
    expect(view.figures.present).toBe(0);
  });

  it('although the origin still counts viewers, after 8 s', async () => {
    await holding(10_000);
    engine.agents.lab.forgotten = 2;
    const view = await engine.ended();
    expect(engine.sentences).toContain('Ended; all viewers disconnected, but the origin still counts 2');
    expect(secondsOf(view, 'drain')).toBe(9);
  });

  it('by force without waiting for an origin that counts viewers for long', async () => {
    await holding(600_000);
    engine.agents.lab.forgotten = 2;
    await stop(true);
    const view = await engine.ended(6000);
    expect(view.verdict?.verdict).toBe('stopped');
    // Only the viewers were ended, not the testers: these are killed only if they do not respond.
    expect(engine.agents.all.every(({ isAlive }) => isAlive)).toBe(true);
  });
});

describe('stopping', () => {
  it('during the ramp-up disconnects all viewers', async () => {
    await engine.start(virtualPlan({ viewers: 400, ratePerSecond: 20, holdMs: 600_000 }));
    await engine.until(({ figures }) => figures.connected >= 100);
    await stop(false);
    const view = await engine.ended(10_000);
    expect(view.verdict?.verdict).toBe('stopped');
    expect(view.figures).toMatchObject({ present: 0, originViewers: 0 });
    expect(view.figures.connectedPeak).toBeLessThan(160);
  });

  it('during preparation starts nothing', async () => {
    await engine.start(virtualPlan({ holdMs: 600_000 }));
    expect(await stop(false)).toEqual({ present: 0 });
    const view = await engine.ended(10_000);
    expect(view.figures.connectedPeak).toBe(0);
    expect(view.phases.map(({ name }) => name)).toEqual(['prepare']);
  });

  it('twice, or without a run, has no effect', async () => {
    expect(await stop(false)).toEqual({ present: 0 });
    await holding(600_000);
    await Promise.all([stop(false), stop(true), stop(true)]);
    expect((await engine.ended(10_000)).figures.present).toBe(0);
    expect(await stop(true)).toEqual({ present: 0 });
  });

  it('of one job does not affect the others', async () => {
    const nodes = { origin: { server: 'lab' }, one: { tester: 'local' }, two: { tester: 'local' } } as const;
    await engine.start(virtualPlan({ by: ['one', 'two'], holdMs: 600_000 }, { nodes }));
    await engine.until(({ figures }) => figures.connected === 20);
    const { jobs } = await engine.client.call('engine.state', {});
    const [first] = jobs.filter(({ kind }) => kind === 'pull');
    await engine.during(engine.client.call('runs.stopJob', { job: first?.id ?? '', force: false }));
    const half = await engine.until(({ figures }) => figures.present === 10, 5000);
    await engine.time.pass(15_000);
    expect((await engine.run())?.figures.connected).toBe(10);
    expect(half.figures.connected).toBe(10);
  });

  it('of a run allows the next one', async () => {
    await holding(600_000);
    await stop(false);
    await engine.ended(10_000);
    await holding(1000);
    expect((await engine.ended()).verdict?.verdict).toBe('pass');
    expect(await engine.during(engine.client.call('runs.list', {}))).toHaveLength(2);
  });
});
