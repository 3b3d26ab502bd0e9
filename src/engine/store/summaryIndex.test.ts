import {
  appendFileSync,
  existsSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testView } from '../../../tests/support/savedRun';
import { openRunLibrary } from './index';

const runs = 150;
/** SQLite's memory is exhausted by fewer files that are opened and closed at once. */
const manyRuns = 2000;
let folder: string;
let index: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-index-'));
  index = join(folder, '.runs-index');
  const library = openRunLibrary(folder);
  const view = testView('run-0');
  library.create(view, { version: '0.1.0' }).finish({ ...view, state: 'ended', endedMs: view.startedMs + 1000 });
  copyRuns(1, runs);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function copyRuns(from: number, to: number): void {
  for (let run = from; run < to; run += 1)
    copyFileSync(join(folder, 'run-0.fullhouse'), join(folder, `run-${run}.fullhouse`));
}

/** Lists the folder as a process does that has just started. */
async function list(): Promise<{
  readonly opened: string[];
  readonly rows: ReturnType<ReturnType<typeof openRunLibrary>['list']>;
  readonly reports: number;
}> {
  const opened: string[] = [];
  let reports = 0;
  const library = openRunLibrary(folder, { onOpening: (path) => opened.push(path), onProgress: () => (reports += 1) });
  await library.readAll();
  return { rows: library.list(), opened, reports };
}

describe('the list of a folder with many runs', () => {
  it('opens each file once, and later only those that have changed', async () => {
    const first = await list();
    expect(first.opened).toHaveLength(runs);
    expect(first.reports).toBe(runs);
    const second = await list();
    expect(second.opened).toEqual([]);
    expect(second.reports).toBe(0);
    expect(second.rows).toEqual(first.rows);

    // Another file of the same name, and one that was changed in place.
    const changed = join(folder, 'run-7.fullhouse');
    writeFileSync(`${changed}.new`, readFileSync(changed));
    renameSync(`${changed}.new`, changed);
    utimesSync(changed, 1_000_000, 1_000_000);
    rmSync(join(folder, 'run-8.fullhouse'));
    const third = await list();
    expect(third.opened).toEqual([changed]);
    expect(third.rows).toHaveLength(runs - 1);
    expect((await list()).opened).toEqual([]);
  });

  it('is complete, however many there are, and opens none of them again', async () => {
    copyRuns(runs, manyRuns);
    const first = await list();
    expect(first.rows).toHaveLength(manyRuns);
    expect(first.rows.filter(({ verdict }) => verdict === 'damaged')).toEqual([]);
    const second = await list();
    expect(second.opened).toEqual([]);
    expect(second.rows).toEqual(first.rows);
  }, 120_000);

  it('has changes that are made to a run', async () => {
    await list();
    openRunLibrary(folder).keep('run-9', { addTags: ['slow'], isBaseline: true });
    const { rows } = await list();
    expect(rows.filter(({ isBaseline }) => isBaseline).map(({ id }) => id)).toContain('run-9');
    expect(rows.find(({ id }) => id === 'run-9')?.tags).toEqual(['slow']);
  });

  it('reads again what the index has damaged, of another version, or of another run', async () => {
    const { rows } = await list();
    const lines = readFileSync(index, 'utf8').trimEnd().split('\n');
    const [head = '', ...written] = lines;
    expect(written).toHaveLength(runs);
    const [other, swapped] = [3, 4].map((at) => JSON.parse(written[at] ?? '') as { id: string; summary: unknown });
    const lies = [
      `${(written[0] ?? '').slice(0, 50)}`,
      (written[1] ?? '').replace('"verdict":"', '"verdict":"won-'),
      '',
      JSON.stringify({ ...other, id: '../../etc/passwd' }),
      JSON.stringify({ ...swapped, summary: other?.summary }),
    ];
    writeFileSync(index, [head, ...lies, ...written.slice(lies.length)].join('\n'));
    const { opened, rows: again } = await list();
    expect(opened).toHaveLength(lies.length);
    expect(again).toEqual(rows);

    for (const text of ['', 'garbage\n', `${JSON.stringify({ index: 0 })}\n${written.join('\n')}\n`]) {
      writeFileSync(index, text);
      expect((await list()).opened).toHaveLength(runs);
      expect((await list()).opened).toEqual([]);
    }
  });

  it('keeps its index in bounds, and no file beside it', async () => {
    await list();
    const line = readFileSync(index, 'utf8').split('\n')[1] ?? '';
    appendFileSync(index, `${line}\n`.repeat(1000));
    expect((await list()).opened).toEqual([]);
    expect(readFileSync(index, 'utf8').trimEnd().split('\n')).toHaveLength(runs + 1);
    expect(existsSync(`${index}.new-${process.pid}`)).toBe(false);
  });
});

it('the list of a folder with few runs needs no index', async () => {
  for (let run = 50; run < runs; run += 1) rmSync(join(folder, `run-${run}.fullhouse`));
  expect((await list()).opened).toHaveLength(50);
  expect(existsSync(index)).toBe(false);
});
