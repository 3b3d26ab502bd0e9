import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { DelayView } from '../../src/contract/delayCalls';
import { summaryOf } from '../../src/domain/delay/spread';
import { readDelayTable } from '../../src/engine/delay/delayTables';
import { until } from '../support/until';
import { programsBelow } from './exposed';
import { cleanUp, engineInTemporaryFolder, viewerPageFolder, type TestEngine } from './support';

afterEach(cleanUp);

const order = { node: 'lab', measureMs: 3000, startsBrowser: true } as const;

function lastView(engine: TestEngine): Promise<DelayView> {
  return new Promise((resolve) => {
    engine.client.on('delays', (view) => {
      if (view.state === 'ended') resolve(view);
    });
  });
}

it('measures in a Chromium what the path to the viewer adds, in each repeat, and keeps the table', async () => {
  const engine = engineInTemporaryFolder({ viewerPageFolder });
  const addedMs = [0, 300];
  // The lab delays what the player receives; with a new publication for each repeat.
  engine.client.on('delays', ({ now }) => {
    if (now?.step !== 'waiting for the picture') return;
    void engine.client.call('engine.state', {}).then(({ jobs }) => {
      const stream = jobs.find((job) => job.kind === 'publish')?.stream;
      if (stream !== undefined)
        return engine.client.call('lab.conditions', { stream, delayMs: addedMs[now.repeat] ?? 0 });
      return undefined;
    });
  });
  const ended = lastView(engine);
  await engine.client.call('delays.start', { ...order, repeats: 2, paths: ['vp8'], name: 'Added delay' });
  const { rows, table, problem } = await ended;
  expect(problem).toBeUndefined();
  const [row] = rows;
  const [without, added] = (row?.repeats ?? []).map((repeat) => ('delay' in repeat ? repeat.delay : undefined));
  expect(without?.count).toBeGreaterThan(40);
  // A busy machine encodes and decodes later; both repeats do.
  expect((added?.p50Ms ?? 0) - (without?.p50Ms ?? 0)).toBeGreaterThan(250);
  expect((added?.p50Ms ?? 0) - (without?.p50Ms ?? 0)).toBeLessThan(500);
  expect(row && summaryOf(row)?.p50.most).toBe(added?.p50Ms);
  const [name = ''] = readdirSync(join(engine.folder, 'delays'));
  expect(await readDelayTable(join(engine.folder, 'delays', name))).toEqual(table);
  expect(table).toMatchObject({ name: 'Added delay', decoder: 'Chromium', node: 'lab' });
  expect(await until(() => !programsBelow().some((program) => program.name.includes('chrom')), 10_000)).toBe(true);
  // What was published is gone.
  expect((await engine.client.call('engine.state', {})).jobs.filter(({ kind }) => kind === 'publish')).toEqual([]);
}, 120_000);

it('measures under the load of its own viewers, and can be cancelled with what was measured', async () => {
  const engine = engineInTemporaryFolder({ viewerPageFolder });
  const ended = lastView(engine);
  let peak = 0;
  engine.client.on('run', (run) => (peak = Math.max(peak, run?.figures.connected ?? 0)));
  engine.client.on('delays', ({ rows, now }) => {
    if (rows.every(({ repeats }) => repeats.length > 0) && now?.repeat === 1)
      void engine.client.call('delays.cancel', {});
  });
  await engine.client.call('delays.start', { ...order, repeats: 5, paths: ['vp8 load'], viewers: 5 });
  await expect(engine.client.call('delays.start', { ...order, repeats: 1 })).rejects.toMatchObject({ code: 'busy' });
  const { table, problem } = await ended;
  expect(problem).toBe('It was cancelled.');
  expect(peak).toBe(5);
  expect(table?.isCancelled).toBe(true);
  expect(table?.rows[0]?.repeats[0]).toMatchObject({ remark: '5 viewers' });
  const { run } = await engine.client.call('engine.state', {});
  expect(run?.state).toBe('ended');
}, 120_000);
