import { describe, expect, it } from 'vitest';
import type { DelayTable } from '../../../domain/delay/table';
import { usualMedia } from '../../../domain/model/publishMedia';
import type { WindowClient } from '../../client/connection';
import { KeptTables, lengthOf, mainPathOf } from './keptTables.svelte';

const table = (id: string, startedMs: number, p50Ms = 60): DelayTable => ({
  ...{ fullhouseDelay: 1, id, name: `Delay ${id}`, node: 'lab', startedMs, endedMs: startedMs + 60_000 },
  ...{ decoder: 'this window', measuredMs: 20_000 },
  rows: ['window', 'whep'].map((path) => ({
    path: {
      ...{ id: path, title: path, media: usualMedia, isUnderLoad: false },
      ...(path === 'whep' ? { publish: 'whip', play: 'whep' } : {}),
    },
    repeats: [{ delay: { p50Ms, p95Ms: p50Ms + 10, p99Ms: p50Ms + 20, jitterMs: 2, uncertaintyMs: 4, count: 500 } }],
  })),
});

/** An engine that keeps tables; `calls` are the names of its calls. */
async function keptOf(
  ...tables: DelayTable[]
): Promise<{ kept: KeptTables; calls: string[]; disk: { isFull: boolean } }> {
  const calls: string[] = [];
  const disk = { isFull: false };
  let all = tables;
  const answer = (name: string, input: { table?: string; text?: string }): unknown => {
    calls.push(name);
    if (name === 'delays.remove') all = all.filter(({ id }) => id !== input.table);
    if (name === 'delays.import') {
      if (disk.isFull) throw new Error('The disk is full.');
      if (!input.text?.startsWith('{')) throw new Error('notes.txt is not a delay table: it is not JSON.');
      const added = JSON.parse(input.text) as DelayTable;
      all = [...all, added];
      return { table: added };
    }
    return { tables: [...all].sort((a, b) => b.startedMs - a.startedMs), problems: [] };
  };
  const call = (name: string, input: object): Promise<unknown> => Promise.resolve().then(() => answer(name, input));
  const kept = new KeptTables({ call, on: () => () => undefined } as unknown as WindowClient);
  await kept.load();
  return { kept, calls, disk };
}

const shownIn = (kept: KeptTables): readonly string[] => kept.selected.map(({ id }) => id);

describe('saved delay tables', () => {
  it('show the newest first, and compare it with another that is checked: the earlier one is before', async () => {
    const { kept } = await keptOf(table('old', 1000), table('new', 3000, 500), table('middle', 2000));
    expect(shownIn(kept)).toEqual(['new']);
    expect(kept.comparison).toBeUndefined();
    kept.toggle('old');
    expect([kept.comparison?.before.id, kept.comparison?.after.id]).toEqual(['old', 'new']);
    expect(kept.comparison?.rows[1]?.change).toBe('higher');
    kept.swap();
    expect(kept.comparison?.before.id).toBe('new');
    // A third one replaces the first of two.
    kept.toggle('middle');
    expect(shownIn(kept)).toEqual(['old', 'middle']);
    kept.toggle('middle');
    expect(shownIn(kept)).toEqual(['old']);
    kept.open('new');
    expect(shownIn(kept)).toEqual(['new']);
  });

  it('are removed and restored', async () => {
    const { kept } = await keptOf(table('old', 1000), table('new', 3000));
    const [newest] = kept.selected;
    if (!newest) throw new Error('no table is shown');
    await kept.remove(newest);
    expect([kept.removed?.id, shownIn(kept)]).toEqual(['new', ['old']]);
    await kept.restore();
    expect([kept.removed, shownIn(kept), kept.all.length]).toEqual([undefined, ['new'], 2]);
  });

  it('can be restored again after that has failed, and once only', async () => {
    const { kept, calls, disk } = await keptOf(table('old', 1000), table('new', 3000));
    await kept.remove(table('new', 3000));
    disk.isFull = true;
    await kept.restore();
    expect(kept.problem).toBe('Delay new was not restored: The disk is full.');
    expect(kept.removed?.id).toBe('new');
    disk.isFull = false;
    calls.length = 0;
    await Promise.all([kept.restore(), kept.restore()]);
    expect(calls).toEqual(['delays.import', 'delays.list']);
    expect([kept.removed, kept.all.length, kept.problem]).toEqual([undefined, 2, undefined]);
  });

  it('say why a file can not be opened', async () => {
    const { kept, calls } = await keptOf(table('old', 1000));
    await kept.import({ name: 'notes.txt', text: 'notes' });
    expect(kept.problem).toBe('notes.txt is not a delay table: it is not JSON.');
    expect(shownIn(kept)).toEqual(['old']);
    expect(calls.at(-1)).toBe('delays.import');
  });

  it('are listed by their first path through the server', () => {
    expect(mainPathOf(table('old', 1000))?.title).toBe('whep');
    expect(lengthOf(table('old', 1000))).toBe('1 × 20 s');
  });
});
