import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Database } from './database';
import { openRunLibrary } from './index';
import { testSample, testStartMs, testView } from '../../../tests/support/savedRun';
import type { RunLibrary } from './types';

let folder: string;
let library: RunLibrary;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-kept-'));
  library = openRunLibrary(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function finished(id = 'run-a'): void {
  const writer = library.create(testView(id), { version: '0.1.0' });
  writer.append([testSample(1, 'origin', 'cpuPercent', 40)]);
  writer.finish(
    testView(id, {
      state: 'ended',
      endedMs: testStartMs + 2000,
      verdict: {
        verdict: 'fail',
        sentence: 'Too many were degraded.',
        reasons: [{ number: 1, sentence: 'CPU went to 98 %.', expected: 'expected <= 80 %', timeMs: testStartMs }],
        headroom: [],
      },
    }),
  );
}

describe('user data of a run', () => {
  it('is in its file and part of its exports', () => {
    finished();
    library.keep('run-a', { addTags: ['zgc', 'tuned'], note: ' Heap doubled. ', isBaseline: true });
    library.keep('run-a', { removeTags: ['tuned'], addTags: ['zgc', 'night'] });
    const expected = { tags: ['zgc', 'night'], note: 'Heap doubled.', isBaseline: true };
    expect(library.summary('run-a')).toMatchObject(expected);
    library.exportFile('run-a', join(folder, 'copy'));
    const other = openRunLibrary(join(folder, 'other'));
    expect(other.importFile(join(folder, 'copy'))).toMatchObject(expected);
  });

  it('can be removed, and does not affect recorded data', () => {
    finished();
    const before = library.open('run-a');
    const view = before.view();
    before.close();
    library.keep('run-a', { addTags: ['zgc'], note: 'x', isBaseline: true });
    const summary = library.keep('run-a', { removeTags: ['zgc'], note: '', isBaseline: false });
    expect(summary).not.toHaveProperty('tags');
    expect(summary).not.toHaveProperty('note');
    expect(summary).not.toHaveProperty('isBaseline');
    const reader = library.open('run-a');
    expect(reader.view()).toEqual(view);
    expect(reader.values('origin', 'cpuPercent').value).toEqual([40]);
    reader.close();
  });

  it('can be added while the run is active', () => {
    const writer = library.create(testView('run-a'), { version: '0.1.0' });
    library.keep('run-a', { addTags: ['live'] });
    expect(library.summary('run-a')).toMatchObject({ verdict: 'running', tags: ['live'] });
    writer.finish(testView('run-a', { state: 'ended', endedMs: testStartMs + 1000 }));
    expect(library.summary('run-a').tags).toEqual(['live']);
  });

  it('is merged when another copy of the run is imported', () => {
    finished();
    const copy = join(folder, 'copy');
    library.exportFile('run-a', copy);
    const other = openRunLibrary(join(folder, 'other'));
    other.importFile(copy);
    other.keep('run-a', { addTags: ['seen'], note: 'The heap is too small.' });
    library.keep('run-a', { addTags: ['case-7'], note: 'Customer sent this.', isBaseline: true });
    other.exportFile('run-a', copy);
    for (let again = 0; again < 2; again += 1)
      expect(library.importFile(copy)).toMatchObject({
        tags: ['case-7', 'seen'],
        note: 'Customer sent this.\n\nThe heap is too small.',
        isBaseline: true,
      });
  });

  it('is listed with what distinguishes repeats from other runs, in files of older versions too', () => {
    finished();
    const described = {
      testers: ['audience'],
      reason: 'CPU went to 98 %.',
      originSlot: 1,
      planName: 'Pull 1000 on the local lab',
      planShape: 'whep, 1000 at 200/s, hold 1 min',
      setup: 'lab 0.1.0',
    };
    expect(library.list()[0]).toMatchObject(described);
    const database = new Database(library.path('run-a'));
    database.run(
      "UPDATE meta SET value = json_remove(value, '$.testers', '$.reason', '$.originSlot', '$.planName', '$.planShape', '$.setup') WHERE key = 'summary'",
    );
    database.close();
    const [old] = openRunLibrary(folder).list();
    expect(old).toMatchObject(described);
    expect(old).not.toHaveProperty('tags');
  });
});
