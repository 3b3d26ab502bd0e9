import { existsSync, mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ViewerRow } from '../../contract/viewerSchemas';
import { Database } from './database';
import { newRunId, openRunLibrary } from './index';
import { testSample, testStartMs, testView } from '../../../tests/support/savedRun';
import type { RunLibrary, RunWriter } from './types';

let folder: string;
let library: RunLibrary;
let ticks: Array<() => void>;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-store-'));
  ticks = [];
  library = openRunLibrary(folder, {
    repeat: (run) => {
      ticks.push(run);
      return () => ticks.splice(ticks.indexOf(run), 1);
    },
  });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function start(id = 'run-a'): RunWriter {
  return library.create(testView(id), { version: '0.1.0' });
}

function ended(id: string, seconds = 10): ReturnType<typeof testView> {
  return testView(id, {
    state: 'ended',
    endedMs: testStartMs + seconds * 1000,
    verdict: { verdict: 'pass', sentence: 'All 1,000 viewers connected.', reasons: [], headroom: [] },
    figures: { ...testView(id).figures, connectedPeak: 1000 },
  });
}

/** A finished run with some seconds of samples. */
function keep(id = 'run-a', seconds = 10): void {
  const writer = start(id);
  for (let second = 0; second < seconds; second += 1)
    writer.append([
      testSample(second, 'origin', 'cpuPercent', 10 + second),
      testSample(second, 'audience', 'viewersConnected', second * 100),
    ]);
  writer.finish(ended(id, seconds));
}

function messageOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    return error instanceof Error ? `${'code' in error ? String(error.code) : ''}: ${error.message}` : '';
  }
  return 'nothing was thrown';
}

describe('writing and reading a run', () => {
  it('returns all that was written', () => {
    const writer = start();
    writer.append([testSample(0, 'origin', 'cpuPercent', 12.5), testSample(0, 'audience', 'viewersConnected', 3)]);
    writer.append([testSample(1, 'origin', 'cpuPercent', 13.25)]);
    const event = writer.event({
      timeMs: testStartMs,
      kind: 'run',
      mark: 'none',
      who: 'run',
      sentence: 'Started.',
    });
    const still = writer.still({
      timeMs: testStartMs,
      cause: 'saved',
      mime: 'image/png',
      data: Uint8Array.of(1, 2),
    });
    writer.finish(ended('run-a'));

    const reader = library.open('run-a');
    expect(reader.view()).toMatchObject({ id: 'run-a', state: 'ended', readOnly: true });
    expect(reader.events()).toEqual([event]);
    expect(event.id).toBe(1);
    expect(reader.stills()).toEqual([still]);
    expect([...reader.stillData(still.id).data]).toEqual([1, 2]);
    expect(messageOf(() => reader.stillData(7))).toBe('no-still: The run has no still 7.');
    expect(reader.values('origin', 'cpuPercent')).toEqual({
      timeMs: [testStartMs, testStartMs + 1000],
      value: [12.5, 13.25],
    });
    reader.close();
  });

  it('returns an event and a still with the whole ms that are saved', () => {
    const writer = start();
    const timeMs = testStartMs + 0.4;
    const event = writer.event({ timeMs, kind: 'run', mark: 'none', who: 'run', sentence: 'Started.' });
    const still = writer.still({ timeMs, cause: 'saved', mime: 'image/png', data: Uint8Array.of(1) });
    expect([event.timeMs, still.timeMs]).toEqual([testStartMs, testStartMs]);
    writer.finish(ended('run-a'));
    const reader = library.open('run-a');
    expect([reader.events(), reader.stills()]).toEqual([[event], [still]]);
    reader.close();
  });

  it('leaves one file and no others', () => {
    keep();
    expect(readdirSync(folder)).toEqual(['run-a.fullhouse']);
  });

  it('pages through the samples without gaps or duplicates, never within a millisecond', () => {
    const writer = start();
    for (let second = 0; second < 200; second += 1)
      writer.append([
        testSample(second, 'origin', 'cpuPercent', second),
        testSample(second, 'origin', 'load1', second / 2),
        testSample(second, 'audience', 'viewersConnected', second),
      ]);
    writer.finish(ended('run-a'));
    const reader = library.open('run-a');
    const seen: number[] = [];
    let from: number | null = testStartMs + 5000;
    while (from !== null) {
      const page: ReturnType<typeof reader.samples> = reader.samples(from, testStartMs + 195_000, 100);
      expect(page.batch.timeMs.length).toBeLessThanOrEqual(102);
      seen.push(...page.batch.timeMs);
      from = page.nextMs;
    }
    expect(seen).toHaveLength(190 * 3);
    expect(seen).toEqual([...seen].sort((a, b) => a - b));
    expect(reader.samples(0, testStartMs, 100)).toEqual({
      batch: { keys: [], key: [], timeMs: [], value: [] },
      nextMs: null,
    });
    reader.close();
  });

  it('keeps late samples, and the first of several with the same timestamp', () => {
    const writer = start();
    for (let second = 0; second < 300; second += 1) {
      if (second !== 20) writer.append([testSample(second, 'origin', 'cpuPercent', second)]);
      writer.flush();
    }
    // A clock that was set back, and replayed records: what was recorded first stays, packed or not.
    writer.append([testSample(20, 'origin', 'cpuPercent', 20), testSample(30, 'origin', 'cpuPercent', 777)]);
    writer.append([testSample(298, 'origin', 'cpuPercent', 777)]);
    const live = library.open('run-a').values('origin', 'cpuPercent');
    writer.finish(ended('run-a'));
    const values = library.open('run-a').values('origin', 'cpuPercent');
    expect(values).toEqual(live);
    expect(values.value).toEqual(Array.from({ length: 300 }, (_, i) => i));
  });

  it('aggregates each series', () => {
    const writer = start();
    for (let i = 1; i <= 100; i += 1) writer.append([testSample(i, 'origin', 'cpuPercent', i)]);
    writer.finish(ended('run-a'));
    const reader = library.open('run-a');
    expect(reader.summaries()).toEqual([
      {
        node: 'origin',
        series: 'cpuPercent',
        count: 100,
        firstMs: testStartMs + 1000,
        lastMs: testStartMs + 100_000,
        min: 1,
        last: 100,
        max: 100,
        maxMs: testStartMs + 100_000,
        mean: 50.5,
        p50: 50,
        p95: 95,
        p99: 99,
      },
    ]);
    expect(reader.summaries(testStartMs + 3000, testStartMs + 5000)).toMatchObject([{ count: 2, min: 3, max: 4 }]);
    expect(reader.summaries(0, 1)).toEqual([]);
    reader.close();
  });

  it('pages through viewers by state', () => {
    const row = (viewer: number, state: ViewerRow['state']): ViewerRow => ({
      tester: 'audience',
      job: 'pull-1',
      viewer,
      state,
      packets: 1,
      bytes: 2,
      lost: 0,
      lossPercent: 0,
      frames: 0,
      stalls: 0,
      stalledMs: 0,
      degraded: false,
    });
    const writer = start();
    writer.setViewers([row(1, 'connected'), row(2, 'failed'), row(3, 'connected')]);
    writer.setViewers([row(3, 'failed')]);
    writer.finish(ended('run-a'));
    const reader = library.open('run-a');
    expect(reader.viewers(1, 1)).toEqual({ total: 3, viewers: [row(2, 'failed')] });
    expect(reader.viewers(0, 10, 'failed')).toEqual({
      total: 2,
      viewers: [row(2, 'failed'), row(3, 'failed')],
    });
    reader.close();
  });

  it('refuses a value that is not a number, and keeps the others', () => {
    const writer = start();
    const sentence = messageOf(() =>
      writer.append([testSample(0, 'origin', 'load1', NaN), testSample(0, 'origin', 'cpuPercent', 5)]),
    );
    expect(sentence).toBe('bad-sample: origin sent NaN as load1; only numbers can be saved.');
    writer.finish(ended('run-a'));
    expect(library.open('run-a').values('origin', 'cpuPercent').value).toEqual([5]);
  });

  it('accepts nothing more once it has ended', () => {
    const writer = start();
    writer.finish(ended('run-a'));
    expect(messageOf(() => writer.append([]))).toContain('run-closed');
    expect(ticks).toEqual([]);
  });
});

describe('the active run', () => {
  it('is committed with each tick, and can be read up to now', () => {
    const writer = start();
    writer.append([testSample(0, 'origin', 'cpuPercent', 1)]);
    ticks[0]?.();
    const second = new Database(library.path('run-a'));
    expect(second.row('SELECT count(*) FROM sample')).toEqual([1]);
    second.close();

    const reader = library.open('run-a');
    writer.append([testSample(1, 'origin', 'cpuPercent', 2)]);
    writer.flush();
    expect(reader.values('origin', 'cpuPercent').value).toEqual([1, 2]);
    writer.finish(ended('run-a'));
    expect(reader.values('origin', 'cpuPercent').value).toEqual([1, 2]);
    reader.close();
  });

  it('is listed as running and can be renamed, but not deleted', () => {
    const writer = start();
    writer.append([testSample(0, 'audience', 'viewersConnected', 42)]);
    expect(library.list()).toMatchObject([{ id: 'run-a', verdict: 'running', viewersTrace: [42] }]);
    expect(library.rename('run-a', 'Before tuning').name).toBe('Before tuning');
    writer.setView(testView('run-a'));
    expect(messageOf(() => library.delete('run-a'))).toContain('Stop it before you delete it');
    writer.finish(ended('run-a'));
    expect(library.list()).toMatchObject([{ name: 'Before tuning', verdict: 'pass' }]);
  });

  it('can be exported, and the copy is marked as interrupted', () => {
    const writer = start();
    writer.append([testSample(0, 'origin', 'cpuPercent', 1), testSample(4, 'origin', 'cpuPercent', 2)]);
    const path = join(folder, 'copy.out');
    const { bytes } = library.exportFile('run-a', path);
    expect(bytes).toBeGreaterThan(1000);
    const elsewhere = openRunLibrary(join(folder, 'elsewhere'));
    expect(elsewhere.importFile(path)).toMatchObject({ verdict: 'interrupted', endedMs: testStartMs + 4000 });
    expect(elsewhere.open('run-a').values('origin', 'cpuPercent').value).toEqual([1, 2]);
    writer.finish(ended('run-a'));
    expect(library.list()).toMatchObject([{ verdict: 'pass' }]);
  });

  it('keeps what the disk refused and reports it', () => {
    const problems: string[] = [];
    library = openRunLibrary(folder, {
      repeat: (run) => {
        ticks.push(run);
        return () => undefined;
      },
      onProblem: ({ sentence }) => problems.push(sentence),
    });
    const writer = start();
    writer.append([testSample(0, 'origin', 'cpuPercent', 1)]);
    const other = new Database(library.path('run-a'));
    other.exec('DROP TABLE event; CREATE TABLE event (other TEXT)');
    writer.event({ timeMs: testStartMs, kind: 'run', mark: 'none', who: 'run', sentence: 'Started.' });
    ticks[0]?.();
    expect(problems).toHaveLength(1);
    expect(problems[0]).toContain('Measurements are held in memory.');
    other.exec(
      'DROP TABLE event; CREATE TABLE event (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, value TEXT NOT NULL, crc INTEGER)',
    );
    writer.secure();
    expect(problems.slice(1)).toEqual(['The run file can be written again; pending data is saved.']);
    expect(library.open('run-a').events()).toHaveLength(1);
    expect(library.open('run-a').values('origin', 'cpuPercent').value).toEqual([1]);
    other.close();
  });
});

describe('the list of runs', () => {
  it('has a row per run, newest first, with its figures', () => {
    keep('run-a', 10);
    const late = library.create(testView('run-b', { startedMs: testStartMs + 1 }), { version: '0.1.0' });
    late.finish({ ...ended('run-b'), startedMs: testStartMs + 1 });
    const [first, second] = library.list();
    expect(first?.id).toBe('run-b');
    expect(first?.cpuMaxPercent).toBeUndefined();
    expect(second).toMatchObject({
      id: 'run-a',
      verdict: 'pass',
      origin: 'origin',
      connectedPeak: 1000,
      cpuMaxPercent: 19,
      viewersTrace: [0, 100, 200, 300, 400, 500, 600, 700, 800, 900],
    });
    expect(second?.bytes).toBeGreaterThan(1000);
  });

  it('has a row for a damaged file', () => {
    keep('run-a');
    keep('run-b');
    keep('run-c');
    truncateSync(library.path('run-a'), 9000);
    writeFileSync(library.path('run-b'), 'a text file renamed to .fullhouse, longer than a hundred bytes'.repeat(3));
    writeFileSync(library.path('run-d'), '');
    const byId = new Map(
      openRunLibrary(folder)
        .list()
        .map((row) => [row.id, row]),
    );
    expect(byId.get('run-a')).toMatchObject({ verdict: 'damaged' });
    expect(byId.get('run-a')?.problem).toContain('is truncated: 9,000 of');
    expect(byId.get('run-b')?.problem).toBe('run-b.fullhouse is not a Fullhouse run. Choose a .fullhouse file.');
    expect(byId.get('run-c')).toMatchObject({ verdict: 'pass' });
    expect(byId.get('run-d')?.problem).toContain('is empty');
    expect(messageOf(() => library.open('run-a'))).toContain('damaged-run: run-a.fullhouse is truncated');
  });

  it('reads events in order of time: some are recorded after later ones', () => {
    const writer = start('run-a');
    for (const seconds of [7, 6, 9, 6])
      writer.event({
        ...{ timeMs: testStartMs + 1000 * seconds, kind: 'run', mark: 'none' },
        ...{ who: 'run', sentence: 'x' },
      });
    writer.finish(ended('run-a'));
    const reader = library.open('run-a');
    expect(reader.events().map(({ id, timeMs }) => [id, (timeMs - testStartMs) / 1000])).toEqual([
      [2, 6],
      [4, 6],
      [1, 7],
      [3, 9],
    ]);
    reader.close();
  });

  it('excludes a minute of garbage within a file, and reports it', () => {
    keep('run-a', 120);
    const database = new Database(library.path('run-a'));
    database.run('UPDATE block SET data = ?', Uint8Array.of(1, 2, 3));
    database.close();
    const reader = library.open('run-a');
    expect(reader.values('origin', 'cpuPercent').value).toEqual([]);
    expect(reader.integrity()).toEqual({
      state: 'damaged',
      sentences: ['Samples from 15:20 to 15:23 UTC are damaged and left out.'],
    });
    expect(reader.events()).toMatchObject([
      { kind: 'run', sentence: 'Samples from 15:20 to 15:23 UTC are damaged and left out.' },
    ]);
    reader.close();
    expect(library.list()).toMatchObject([{ verdict: 'pass' }]);
  });

  it('has no missing runs', () => {
    expect(messageOf(() => library.open('run-x'))).toContain('no-run');
    expect(messageOf(() => library.open('../../etc/passwd'))).toContain('no-run');
  });
});

describe('rename, delete, undelete', () => {
  it('renames permanently', () => {
    keep();
    expect(library.rename('run-a', 'Before tuning').name).toBe('Before tuning');
    expect(openRunLibrary(folder).list()).toMatchObject([{ id: 'run-a', name: 'Before tuning' }]);
    expect(library.open('run-a').view().name).toBe('Before tuning');
  });

  it('restores a deleted run', () => {
    keep();
    library.delete('run-a');
    expect(library.list()).toEqual([]);
    expect(messageOf(() => library.open('run-a'))).toContain('no-run');
    expect(library.undelete('run-a')).toMatchObject({ id: 'run-a', verdict: 'pass' });
    expect(library.list()).toHaveLength(1);
    expect(messageOf(() => library.undelete('run-a'))).toContain('no longer in the trash');
  });

  it('empties the trash after a week, at the next start', () => {
    keep('run-a');
    keep('run-b');
    library.delete('run-a');
    library.delete('run-b');
    const trash = join(folder, '.trash');
    const longAgo = Date.now() / 1000 - 8 * 24 * 3600;
    utimesSync(join(trash, 'run-a.fullhouse'), longAgo, longAgo);
    openRunLibrary(folder);
    expect(readdirSync(trash)).toEqual(['run-b.fullhouse']);
  });

  it('deletes a damaged run too', () => {
    writeFileSync(library.path('run-a'), 'garbage');
    library.delete('run-a');
    expect(library.list()).toEqual([]);
  });
});

describe('import and export', () => {
  it('creates a copy that another library can import', () => {
    keep();
    const path = join(folder, 'to a colleague.fullhouse.copy');
    expect(library.exportFile('run-a', path).bytes).toBeGreaterThan(1000);
    const other = openRunLibrary(join(folder, 'other'));
    expect(other.importFile(path)).toMatchObject({ id: 'run-a', verdict: 'pass', cpuMaxPercent: 19 });
    expect(other.importFile(path)).toMatchObject({ id: 'run-a' });
    expect(other.list()).toHaveLength(1);
    expect(readdirSync(other.folder)).toEqual(['run-a.fullhouse']);
  });

  it('keeps the longer recording of the same run', () => {
    const writer = start();
    writer.append([testSample(1, 'origin', 'cpuPercent', 1)]);
    const early = join(folder, 'early');
    const late = join(folder, 'late');
    library.exportFile('run-a', early);
    writer.append([testSample(2, 'origin', 'cpuPercent', 2)]);
    writer.finish(ended('run-a'));
    library.exportFile('run-a', late);
    const other = openRunLibrary(join(folder, 'other'));
    expect(other.importFile(early).verdict).toBe('interrupted');
    expect(other.importFile(late).verdict).toBe('pass');
    expect(other.importFile(early).verdict).toBe('pass');
    expect(other.open('run-a').values('origin', 'cpuPercent').value).toEqual([1, 2]);
  });

  it('gives another run with the same id a new id', () => {
    keep();
    const other = openRunLibrary(join(folder, 'other'));
    other.create(testView('run-a'), { version: '0.1.0' }).finish(ended('run-a'));
    expect(other.importFile(library.path('run-a')).id).toBe('run-a-2');
    expect(other.importFile(library.path('run-a')).id).toBe('run-a-2');
    expect(other.list()).toHaveLength(2);
  });

  it('refuses other, newer and damaged files, and leaves no trace of them', () => {
    const path = join(folder, 'some file');
    const say = (): string => messageOf(() => library.importFile(path));
    expect(say()).toContain('no-run: some file no longer exists');
    writeFileSync(path, 'PNG or whatever');
    expect(say()).toBe('not-a-run: some file is not a Fullhouse run. Choose a .fullhouse file.');
    keep();
    library.exportFile('run-a', path);
    const database = new Database(path);
    database.exec('PRAGMA user_version = 9');
    database.close();
    expect(say()).toContain('newer-run: some file was written by a newer version of Fullhouse (run format 9');
    library.exportFile('run-a', path);
    truncateSync(path, 12_000);
    expect(say()).toContain('damaged-run: some file is truncated');
    expect(readdirSync(folder).sort()).toEqual(['run-a.fullhouse', 'some file']);
  });
});

describe('a run that has ended', () => {
  it('is compacted separately from its end, and is the same run afterwards', () => {
    keep('run-a', 300);
    const before = library.open('run-a').values('origin', 'cpuPercent');
    library.compact('run-a');
    const database = new Database(library.path('run-a'));
    expect(database.row('PRAGMA freelist_count')).toEqual([0]);
    expect(database.row('PRAGMA journal_mode')).toEqual(['delete']);
    database.close();
    expect(library.open('run-a').values('origin', 'cpuPercent')).toEqual(before);
    expect(messageOf(() => library.compact('run-x'))).toContain('no-run');
  });

  it('is named before SQLite opens its file, in its folder and on import', () => {
    keep('run-a');
    const copy = join(folder, 'a copy');
    library.exportFile('run-a', copy);
    const opened: string[] = [];
    const watched = openRunLibrary(folder, { onOpening: (path) => opened.push(path) });
    watched.summary('run-a');
    watched.open('run-a').close();
    expect(opened).toEqual([library.path('run-a'), library.path('run-a')]);
    opened.length = 0;
    watched.importFile(copy);
    expect(opened[0]).toBe(copy);
    expect(opened).toContain(library.path('run-a'));
  });
});

describe('ids', () => {
  it('consist of date, name and a random part', () => {
    expect(newRunId('Pull 1,000: Zürich & Ōsaka!', testStartMs, () => 'abc234')).toBe(
      '2026-11-22-pull-1-000-zu-rich-o-saka-abc234',
    );
    expect(newRunId('???', testStartMs)).toMatch(/^2026-11-22-run-[a-z0-9]{6}$/);
    expect(existsSync(library.path(newRunId('a'.repeat(500), testStartMs)))).toBe(false);
  });
});
