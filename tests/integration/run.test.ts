import { afterAll, describe, expect, it } from 'vitest';
import { openRunLibrary } from '../../src/engine/store';
import { cleanUp, ended, engineInTemporaryFolder, exists, planOf, waitForRun } from './support';

afterAll(cleanUp);

// Concurrent: each mostly waits.
describe.concurrent('a run with real viewers', () => {
  it('connects and disconnects all viewers, confirms both, and is saved in one file', async () => {
    const engine = engineInTemporaryFolder();
    const done = ended(engine);
    const { run } = await engine.client.call('runs.start', { plan: planOf() });
    const live = await waitForRun(engine, (view) => view.figures.connected === 50);
    expect(live.figures.present).toBe(50);
    const pids = engine.agentPids();
    expect(pids).toHaveLength(2);

    const view = await done;
    expect(view.verdict).toMatchObject({ verdict: 'pass' });
    expect(view.phases.map(({ name }) => name)).toEqual(['prepare', 'baseline', 'ramp', 'hold', 'drain']);
    expect(view.phases.every((phase) => phase.endMs !== undefined)).toBe(true);
    expect(view.figures).toMatchObject({
      requested: 50,
      connectedPeak: 50,
      failed: 0,
      present: 0,
      originViewers: 0,
    });
    expect(engine.events.map(({ sentence }) => sentence)).toContain(
      'Ended; all viewers disconnected, confirmed by origin',
    );

    await engine.shutdown();
    expect(pids.filter(exists)).toEqual([]);

    const reader = openRunLibrary(engine.folder).open(run);
    try {
      expect(reader.view()).toMatchObject({ state: 'ended', verdict: { verdict: 'pass' } });
      // The file has them in the order of their event times, which may differ from the order of detection.
      const inTime = [...engine.events].sort((a, b) => a.timeMs - b.timeMs || a.id - b.id);
      expect(reader.events().map(({ id }) => id)).toEqual(inTime.map(({ id }) => id));
      const series = new Set(reader.summaries().map(({ node, series: id }) => `${node} ${id}`));
      for (const expected of [
        'audience viewersConnected',
        'audience mediaInMbps',
        'audience frameRate',
        'audience jitterP95Ms',
        'audience processCpuPercent',
        'audience connectP50Ms',
        'audience senderReportDelayP50Ms',
        'origin originViewers',
        'origin originOutMbps',
        'origin processMemoryBytes',
        'origin load1',
        'origin cpuPercent',
        'audience cpuPercent',
        'origin cpuCorePercent:0',
      ])
        expect(series, expected).toContain(expected);
      const hold = view.phases.find(({ name }) => name === 'hold');
      const frameRate = reader.values('audience', 'frameRate', hold?.startMs, hold?.endMs);
      // The sample has 25 frames a second; a busy machine may receive fewer.
      expect(Math.max(...frameRate.value)).toBeGreaterThan(10);
      // The lab and its viewers share a clock; a busy machine sends and reads late.
      const delay = reader.values('audience', 'senderReportDelayP50Ms', hold?.startMs, hold?.endMs);
      expect(delay.value.length).toBeGreaterThan(0);
      expect(Math.min(...delay.value)).toBeGreaterThan(-5);
      expect(Math.min(...delay.value)).toBeLessThan(500);
      expect(reader.viewers(0, 1000).total).toBe(50);
      expect(
        reader
          .viewers(0, 1000)
          .viewers.every(
            ({ packets, tester, delayMethod }) =>
              packets > 0 && tester === 'audience' && delayMethod === 'sender-report',
          ),
      ).toBe(true);
    } finally {
      reader.close();
    }
  });

  it('splits its viewers over two testers, and accepts a second pull during the run', async () => {
    const engine = engineInTemporaryFolder();
    const nodes = { origin: { server: 'lab' }, one: { tester: 'local' }, two: { tester: 'local' } } as const;
    const first = planOf({ by: ['one', 'two'], viewers: 21, holdMs: 15_000 }, { nodes });
    const done = ended(engine);
    await engine.client.call('runs.start', { plan: first });
    await waitForRun(engine, (view) => view.figures.connected === 21);
    const { jobs } = await engine.client.call('engine.state', {});
    expect(jobs.flatMap((job) => (job.kind === 'pull' ? [[job.node, job.requested]] : []))).toEqual([
      ['one', 11],
      ['two', 10],
    ]);
    const second = planOf({ by: ['two'], viewers: 9, ratePerSecond: 30, holdMs: 5000 }, { nodes, publish: [] });
    await engine.client.call('runs.start', { plan: second });
    const both = await waitForRun(engine, (view) => view.figures.connected === 30);
    expect(both.figures.requested).toBe(30);
    expect((await done).verdict?.verdict).toBe('pass');
  });
});
