import { join } from 'node:path';
import { expect, it } from 'vitest';
import { VirtualEngine, virtualPlan } from '../../../tests/support/virtualEngine';
import { privateTempFolder } from '../base/tempFolder';

it('records a run under the names of the fleet, and is not interrupted by it', async () => {
  const folder = privateTempFolder();
  const engine = new VirtualEngine({ watchFolder: join(folder.path, 'watched') });
  try {
    await engine.time.pass(5000);
    const sent = new Set<string>();
    engine.client.on('samples', ({ keys }) => {
      for (const { node, fleetNode } of keys) sent.add(`${node} ${fleetNode ?? node}`);
    });
    await engine.start(virtualPlan());
    const { startedMs, endedMs = 0, nodes } = await engine.ended();
    // The plan's own names.
    expect(nodes.map(({ id }) => id)).toContain('origin');
    // The window gets both names.
    expect([...sent]).toContain('origin lab');
    expect([...sent]).not.toContain('origin origin');
    await engine.time.pass(5000);
    const range = { fromMs: startedMs - 60_000, toMs: endedMs + 60_000, columns: 1000 };
    const { keys } = await engine.during(engine.client.call('watch.overview', range));
    const watched = new Set(keys.map(({ node }) => node));
    expect(watched).toContain('lab');
    expect(watched).not.toContain('origin');
    expect([...watched].filter((node) => node.startsWith('audience:'))).toEqual([]);
    expect(keys.map(({ series }) => series)).toContain('viewersConnected');
    const { problem } = await engine.during(engine.client.call('watch.state', {}));
    expect(problem).toBeNull();
  } finally {
    await engine.close();
    folder.remove();
  }
});
