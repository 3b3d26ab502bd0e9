import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { connectEngine } from '../../src/contract/calls';
import { engineCalls, shellCalls } from '../../src/contract/engine';
import type { Wire } from '../../src/contract/wire';
import { until } from '../support/until';
import { localAgentBinary } from '../../src/engine/links/localAgent';
import { waitForNode } from './fleetSupport';
import { agentFolder, cleanUp, ended, engineInTemporaryFolder, planOf, temporaryFolder, waitForRun } from './support';
import { audienceIn } from '../support/pullPlan';

afterEach(cleanUp);

/** Two ends of a wire in this process; messages are copied, like on a port. */
function wirePair(): [Wire, Wire] {
  const end = (): Wire & { listeners: Array<(message: unknown) => void>; other?: Wire } => {
    const listeners: Array<(message: unknown) => void> = [];
    return { listeners, send: () => undefined, onMessage: (listener) => void listeners.push(listener) };
  };
  const [a, b] = [end(), end()];
  const deliver = (to: typeof a) => (message: unknown) =>
    setImmediate(() => {
      for (const listener of to.listeners) listener(structuredClone(message));
    });
  a.send = deliver(b);
  b.send = deliver(a);
  return [a, b];
}

/** Agents that miss their console at once, as after a sleep of the machine. */
function impatientAgents(): string {
  const folder = temporaryFolder();
  const binary = localAgentBinary(folder);
  mkdirSync(dirname(binary), { recursive: true });
  writeFileSync(binary, `#!/bin/sh\nexec '${localAgentBinary(agentFolder)}' "$@" --idle-timeout 1s\n`);
  chmodSync(binary, 0o700);
  return folder;
}

it('shows an agent as idle that had nothing to do and exited without its console', async () => {
  const engine = engineInTemporaryFolder({ agentFolder: impatientAgents() });
  await engine.client.call('lab.start', {});
  const { state, problem } = await waitForNode(engine, 'lab', (node) => node.state !== 'live');
  expect({ state, problem }).toEqual({ state: 'idle', problem: undefined });
});

describe('the engine behind a port', () => {
  it('provides state and events to a window, and no call with a path', async () => {
    const engine = engineInTemporaryFolder();
    const [here, there] = wirePair();
    const close = engine.serve(there, 'window');
    const window = connectEngine(here, { ...engineCalls, ...shellCalls });

    const state = await window.call('engine.state', {});
    expect(state.run).toBeNull();
    expect(state.nodes.map(({ id, state: nodeState, colourSlot, host }) => [id, nodeState, colourSlot, host])).toEqual([
      ['lab', 'idle', 1, 'this-machine'],
      ['local', 'idle', 2, 'this-machine'],
    ]);
    await expect(window.call('runs.import', { path: '/etc/passwd' })).rejects.toMatchObject({
      code: 'unknown-call',
    });
    await expect(window.call('engine.shutdown', {})).rejects.toMatchObject({ code: 'unknown-call' });

    const received = new Set<string>();
    window.on('samples', (batch) => {
      for (const { node, series } of batch.keys) received.add(`${node} ${series}`);
    });
    // A stopped node has no figures; host figures are this machine's until the lab runs.
    expect(await until(() => received.has('local cpuPercent'), 20_000)).toBe(true);
    expect([...received].filter((each) => each.startsWith('lab '))).toEqual([]);
    await window.call('lab.start', {});
    expect(await until(() => received.has('lab cpuPercent'), 20_000)).toBe(true);
    close();
  });

  it('starts the lab, publishes, and reports the cost of a plan', async () => {
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    const lab = await client.call('lab.start', {});
    expect(lab).toMatchObject({
      state: 'live',
      software: expect.stringMatching(/^lab \d/) as string,
      reach: 'this machine',
    });
    const { job } = await client.call('publish.start', { node: 'lab', stream: 'cam', source: 'sample-240p' });
    await expect(
      client.call('publish.start', { node: 'lab', stream: 'cam', source: 'sample-240p' }),
    ).rejects.toMatchObject({ code: 'stream-exists' });
    const nodes = { lab: { server: 'lab' }, local: { tester: 'local' } } as const;
    const plan = planOf({ from: 'lab', by: ['local'], viewers: 1000, holdMs: 2000 }, { nodes, publish: [] });
    // The stream's bitrate is measured first; its value depends on the sample, not on this machine.
    let check = await client.call('plan.check', { plan });
    for (let tries = 0; tries < 100 && !((check.expectedMbps ?? 0) > 80); tries += 1) {
      await new Promise((resolve) => setTimeout(resolve, 100));
      check = await client.call('plan.check', { plan });
    }
    expect(check.problems).toEqual([]);
    expect(check.expectedMbps).toBeGreaterThan(80);
    expect(check.expectedMbps).toBeLessThan(250);

    const done = ended(engine);
    await client.call('runs.start', { plan: { ...plan, pull: { ...audienceIn(plan), viewers: 5 } } });
    await expect(client.call('lab.stop', {})).rejects.toMatchObject({ code: 'in-use' });
    expect((await done).nodes.map(({ id, name }) => [id, name])).toEqual([
      ['lab', 'lab'],
      ['local', 'local'],
    ]);
    const { jobs } = await client.call('engine.state', {});
    expect(jobs.filter(({ kind }) => kind === 'publish')).toMatchObject([{ id: job, stream: 'cam', state: 'holding' }]);
    await client.call('publish.stop', { job });
    await client.call('lab.stop', {});
    const { nodes: after } = await client.call('engine.state', {});
    expect(after.find(({ id }) => id === 'lab')).toMatchObject({ state: 'idle', streams: [] });
  });

  it('saves notes, stills, the player’s figures and a new name in the run', async () => {
    const engine = engineInTemporaryFolder();
    const { client } = engine;
    const done = ended(engine);
    const { run } = await client.call('runs.start', { plan: planOf({ viewers: 3, holdMs: 600_000 }) });
    await waitForRun(engine, (view) => view.figures.connected === 3);
    await client.call('runs.note', { run, text: 'the fan got loud' });
    const still = await client.call('runs.saveStill', {
      run,
      cause: 'saved',
      mime: 'image/png',
      data: new Uint8Array([1, 2, 3]),
    });
    await client.call('player.figures', {
      ...{ node: 'origin', values: { playerFrameRate: 24.5, playerPsnrDb: 41.5 }, stallMs: 800 },
      faults: [{ kind: 'black', lengthMs: 1010, isOver: false }],
    });
    const { viewers, total } = await client.call('runs.viewers', { run, offset: 0, limit: 2 });
    expect([total, viewers.length]).toEqual([3, 2]);
    const renamed = waitForRun(engine, (view) => view.name === 'Fan test');
    await client.call('runs.rename', { run, name: 'Fan test' });
    expect((await client.call('engine.state', {})).run).toMatchObject({ id: run, name: 'Fan test' });
    expect(await renamed).toMatchObject({ id: run, state: 'running', plan: { name: 'Fan test' } });
    await client.call('runs.stopAll', { force: false });
    const { endedMs = 0 } = await done;
    await expect(client.call('runs.note', { run, text: 'when?' })).rejects.toMatchObject({
      code: 'bad-note',
    });
    // Afterwards too: it is stored separately from the recorded data.
    const later = { run, text: 'that was the fan of rack 4', timeMs: endedMs };
    // Judging takes seconds on a busy machine, so the time since the end varies.
    await expect(client.call('runs.note', { ...later, timeMs: endedMs + 1 })).rejects.toMatchObject({
      code: 'bad-note',
    });
    expect(await client.call('runs.note', later)).toMatchObject({
      who: expect.any(String) as string,
      annotation: expect.anything() as object,
    });

    const kept = await client.call('runs.open', { run });
    expect(kept.run).toMatchObject({ name: 'Fan test', readOnly: true });
    expect(kept.events.map(({ sentence }) => sentence)).toEqual(
      expect.arrayContaining(['the fan got loud', 'Picture stalled for 0.80 s', 'Picture is black']),
    );
    expect([...(await client.call('runs.stillData', { run, id: still.id })).data]).toEqual([1, 2, 3]);
    const { batch } = await client.call('runs.samples', { run, fromMs: 0, toMs: Number.MAX_SAFE_INTEGER });
    expect(batch.keys.some(({ node, series }) => node === 'origin' && series === 'playerFrameRate')).toBe(true);
    for (const kind of ['fullhouse', 'html', 'csv'] as const) {
      const path = `${engine.folder}/export.${kind}`;
      expect((await client.call('runs.export', { run, kind, path })).bytes).toBeGreaterThan(1000);
    }
    await client.call('runs.delete', { run });
    expect((await client.call('engine.state', {})).run).toBeNull();
    expect((await client.call('runs.undelete', { run })).name).toBe('Fan test');
  });
});
