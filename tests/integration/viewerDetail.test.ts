import { afterEach, describe, expect, it } from 'vitest';
import type { ViewerRow } from '../../src/contract/viewerSchemas';
import { cleanUp, ended, engineInTemporaryFolder, planOf, waitForRun } from './support';

afterEach(cleanUp);

const names = (row: Pick<ViewerRow, 'detail'>): string[] => row.detail?.timeline.map(({ name }) => name) ?? [];

describe('details of single viewers', () => {
  it('are available during the run, and saved for the 20 worst and 20 random ones', async () => {
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    const done = ended(engine);
    const full = waitForRun(engine, ({ figures }) => figures.connected === 60);
    const plan = planOf({ viewers: 60, ratePerSecond: 60, holdMs: 6000 });
    const { run } = await client.call('runs.start', { plan });
    await full;

    const listed = await client.call('runs.viewers', { run, offset: 0, limit: 100 });
    expect(listed.viewers.every(({ detail }) => detail === undefined)).toBe(true);
    const [row] = listed.viewers;
    const received = await client.call('runs.viewer', { run, job: row?.job ?? '', viewer: row?.viewer ?? 0 });
    const steps = ['arrived', 'tcp', 'offer', 'answer', 'ice', 'dtls', 'first-packet', 'first-frame'];
    expect(received.timeline.map(({ name }) => name)).toEqual(steps);
    expect(received.timeline.map(({ atMs }) => atMs)).toEqual(
      received.timeline.map(({ atMs }) => atMs).sort((a, b) => a - b),
    );
    expect(received.route).toMatchObject({ protocol: 'udp', localType: 'host', remoteType: 'host' });
    expect(received.route?.local).toMatch(/^127\.0\.0\.1:\d+$/);
    expect(received.streams).toMatchObject([
      { kind: 'video', codec: 'H264', clockRate: 90_000 },
      { kind: 'audio', codec: 'opus', clockRate: 48_000 },
    ]);
    await expect(client.call('runs.viewer', { run, job: 'none', viewer: 1 })).rejects.toThrow('no job none');
    await expect(client.call('runs.viewer', { run, job: row?.job ?? '', viewer: 61 })).rejects.toThrow(
      /viewers 1 to 60/,
    );

    await done;
    const kept = await client.call('runs.viewers', { run, offset: 0, limit: 100 });
    expect(kept.total).toBe(60);
    const detailed = kept.viewers.filter(({ detail }) => detail !== undefined);
    expect(detailed).toHaveLength(40);
    for (const viewer of detailed) {
      expect(names(viewer).slice(0, 5)).toEqual(steps.slice(0, 5));
      expect(names(viewer).slice(-2)).toEqual(['disconnecting', 'disconnected']);
    }
    // In a run without problems the slowest to connect is among the worst.
    const slowest = [...kept.viewers].sort((a, b) => (b.connectMs ?? 0) - (a.connectMs ?? 0))[0];
    const isClean = kept.viewers.every(
      (viewer) => viewer.state === 'disconnected' && !viewer.degradedMs && !viewer.lossPercent,
    );
    if (isClean) expect(slowest?.detail).toBeDefined();
    await expect(client.call('runs.viewer', { run, job: row?.job ?? '', viewer: row?.viewer ?? 0 })).rejects.toThrow(
      '20 worst',
    );
  });
});

it('an audience in stages is one row of Jobs, from its first viewer to its last', async () => {
  const engine = engineInTemporaryFolder();
  const done = ended(engine);
  const rows: number[] = [];
  const most: number[] = [];
  engine.client.on('jobs', (jobs) => {
    const pulls = jobs.filter(({ kind }) => kind === 'pull');
    rows.push(pulls.length);
    for (const job of pulls) if (job.kind === 'pull') most.push(job.connected);
  });
  const plan = planOf({
    viewers: 12,
    ratePerSecond: 6,
    holdMs: 8000,
    stages: [
      { kind: 'ramp', viewers: 12, overMs: 2000 },
      { kind: 'hold', forMs: 1000 },
      { kind: 'ramp', viewers: 2, overMs: 5000 },
    ],
  });
  await engine.client.call('runs.start', { plan });
  const view = await done;
  expect(view.figures.connectedPeak).toBe(12);
  expect(Math.max(...rows)).toBe(1);
  expect(Math.max(...most)).toBe(12);
});
