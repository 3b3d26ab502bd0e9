import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { DelayTable } from '../../domain/delay/table';
import { usualMedia } from '../../domain/model/publishMedia';
import { DelayTables } from './delayTables';

const table: DelayTable = {
  ...{ fullhouseDelay: 1, id: 'lab-1', name: 'Delay of lab', node: 'lab', startedMs: 1000, endedMs: 2000 },
  ...{ decoder: 'this window', measuredMs: 20_000 },
  rows: [{ path: { id: 'window', title: 'Display alone', media: usualMedia, isUnderLoad: false }, repeats: [] }],
};
const text = (change: Partial<DelayTable> = {}): string => JSON.stringify({ ...table, ...change });

let folder = '';
beforeAll(async () => (folder = await mkdtemp(join(tmpdir(), 'delay-tables-'))));
afterAll(() => rm(folder, { recursive: true, force: true }));

const kept = (name: string): DelayTables => new DelayTables(join(folder, name), (each) => each);

describe('kept delay tables', () => {
  it('are those of files that were opened; a different table of the same id does not replace one', async () => {
    const tables = kept('opened');
    expect(await tables.import(text(), 'lab.delay.json')).toEqual(table);
    expect((await tables.import(text(), 'lab.delay.json')).id).toBe('lab-1');
    expect((await tables.import(text({ node: 'other' }), 'lab.delay.json')).id).toBe('lab-1-2');
    expect((await tables.import(text({ node: 'third' }), 'lab.delay.json')).id).toBe('lab-1-3');
    expect((await tables.import(text({ node: 'other' }), 'lab.delay.json')).id).toBe('lab-1-2');
    const { tables: all, problems } = await tables.list();
    expect([all.map(({ node }) => node).sort(), problems]).toEqual([['lab', 'other', 'third'], []]);
  });

  it('refuse other files with a sentence, and leave the folder unless the id is one', async () => {
    const tables = kept('refused');
    await expect(tables.import('notes', 'notes.txt')).rejects.toThrow(
      'notes.txt is not a delay table: it is not JSON.',
    );
    await expect(tables.import('{}', 'empty.json')).rejects.toThrow('empty.json is not a delay table');
    await expect(tables.import(text({ id: '../../evil' }), 'evil.json')).rejects.toThrow(
      "that this version can't read",
    );
    expect(await readdir(folder)).not.toContain('refused');
  });

  it('are removed; files that are no tables are reported', async () => {
    const tables = kept('removed');
    await tables.import(text(), 'lab.delay.json');
    await tables.remove('lab-1');
    await tables.remove('lab-1');
    await writeFile(tables.path('damaged'), '{');
    const { tables: all, problems } = await tables.list();
    expect([all, problems.length]).toEqual([[], 1]);
  });

  it('are removed whatever the name of their file, and nothing outside of the folder is', async () => {
    const tables = kept('named');
    await tables.import(text(), 'lab.delay.json');
    await writeFile(join(folder, 'named', 'before.delay.json'), text({ id: 'another-2' }));
    await writeFile(join(folder, 'outside.delay.json'), text({ id: 'outside' }));
    await tables.remove('another-2');
    await tables.remove('../outside');
    expect(await readdir(join(folder, 'named'))).toEqual(['lab-1.delay.json']);
    expect(await readdir(folder)).toContain('outside.delay.json');
  });

  it('have no secrets', async () => {
    const tables = new DelayTables(join(folder, 'masked'), (each) => ({ ...each, node: '***' }));
    expect((await tables.keep(table)).node).toBe('***');
    expect((await tables.list()).tables.map(({ node }) => node)).toEqual(['***']);
  });
});
