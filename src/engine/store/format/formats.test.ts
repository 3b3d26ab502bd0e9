import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { audiencesOf } from '../../../domain/model/distribution';
import { exportRun } from '../../export/exportRun';
import { comparisonText } from '../../library/exportComparison';
import { saveAnnotations } from '../annotations';
import { Database } from '../database';
import { openRunLibrary, readSaved, type RunLibrary } from '../index';
import { ownMark } from '../../base/lock';
import { runFormat } from './steps';

/** Runs recorded by the versions whose files differ, named by format. */
const fixtures = join(import.meta.dirname, '../../../../tests/fixtures/runs');
const files = readdirSync(fixtures).filter((name) => name.endsWith('.fullhouse'));
const formatOf = (path: string): number => readFileSync(path).readUInt32BE(60);
const older = files.filter((name) => formatOf(join(fixtures, name)) < runFormat);

/** Events, samples and viewers of each, the fidelity of its audiences, and what else it contains. */
const contents: Readonly<Record<string, readonly [number, number, number, string, string]>> = {
  '1-browser-fidelity': [9, 486, 20, 'browser', ''],
  '1-customer': [3, 180, 1, '', 'preflight'],
  '1-failures': [14, 348, 12, ',', ''],
  '1-first': [9, 384, 20, '', ''],
  '1-imported': [1, 1678, 0, '', 'imported'],
  '1-search': [16, 883, 8, '', 'limit'],
  '1-stages': [18, 562, 24, ',browser', 'preflight'],
  '2-baseline': [20, 753, 24, ',browser', 'preflight baseline otherLoad layout'],
  '2-checksums': [18, 594, 24, ',browser', 'preflight'],
  '2-search': [18, 1287, 8, '', 'baseline otherLoad limit layout'],
  '3-fidelity': [20, 752, 24, ',browser', 'preflight baseline otherLoad layout'],
  '3-limit': [21, 1557, 20, '', 'baseline otherLoad limit layout'],
  '4-limit': [21, 1628, 20, '', 'baseline otherLoad limit layout'],
  '5-distributions': [11, 1562, 8, '', 'baseline otherLoad'],
};
const findings = ['preflight', 'baseline', 'otherLoad', 'limit', 'imported', 'layout'] as const;

let folder: string;
let library: RunLibrary;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-formats-'));
  library = openRunLibrary(folder);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Places a fixture in the library, as an older version left it; returns its id. */
function place(name: string): string {
  const id = name.replace(/\.fullhouse$/, '');
  copyFileSync(join(fixtures, name), library.path(id));
  return id;
}

const hashOf = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** Everything that a run contains, except what users added. */
function contentOf(from: RunLibrary, id: string): unknown {
  return readSaved(from, id, (reader) => {
    const { id: _, name: __, ...view } = reader.view();
    return {
      view,
      integrity: reader.integrity().state,
      events: reader.events(),
      stills: reader.stills(),
      viewers: reader.viewers(0, 1000).viewers,
      samples: [...reader.minutes()],
      summaries: reader.summaries(),
      overview: reader.overview(0, 4e12, 50),
    };
  });
}

it('every format has a recorded run', () => {
  const formats = new Set(files.map((name) => formatOf(join(fixtures, name))));
  expect([...formats].sort()).toEqual(Array.from({ length: runFormat }, (_, i) => i + 1));
});

describe.each(files)('the run %s', (name) => {
  it('has all of its parts', () => {
    const id = place(name);
    expect(readSaved(library, id, (reader) => reader.integrity().state)).toBe(
      formatOf(library.path(id)) === 1 ? 'unverified' : 'verified',
    );
    const { damage } = new Database(library.path(id));
    expect(damage.isEmpty).toBe(true);
    expect(library.list().map((row) => [row.id, row.problem])).toEqual([[id, undefined]]);
    readSaved(library, id, (reader) => {
      const view = reader.view();
      expect([
        reader.events().length,
        reader.count(),
        reader.viewers(0, 1000).viewers.length,
        audiencesOf(view.plan)
          .map(({ fidelity }) => fidelity)
          .join(),
        findings.filter((each) => view[each] !== undefined).join(' '),
      ]).toEqual(contents[id]);
    });
  });

  it.each(['html', 'markdown', 'csv', 'junit'] as const)('is reported as %s', async (kind) => {
    const id = place(name);
    const path = join(folder, 'report');
    await exportRun(library, id, kind, path);
    expect(readFileSync(path, 'utf8').length).toBeGreaterThan(200);
  });

  it('is compared with a run of the current format', () => {
    const current = files.find((each) => formatOf(join(fixtures, each)) === runFormat && each !== name) ?? name;
    const text = comparisonText(library, [place(name), place(current)], { kind: 'md', alignment: 'time' });
    expect(text).toContain(library.summary(place(name)).name);
  });

  it('is exported and imported in the current format with the same content', () => {
    const id = place(name);
    const before = contentOf(library, id);
    const path = join(folder, 'exported');
    library.exportFile(id, path);
    expect(formatOf(path)).toBe(runFormat);
    const other = openRunLibrary(join(folder, 'other'));
    expect(contentOf(other, other.importFile(path).id)).toEqual(before);
  });
});

describe.each(older)('the older run %s', (name) => {
  it('is not written to by readers', async () => {
    const id = place(name);
    const before = hashOf(library.path(id));
    contentOf(library, id);
    await exportRun(library, id, 'html', join(folder, 'report'));
    expect(hashOf(library.path(id))).toBe(before);
    expect(readdirSync(folder).sort()).toEqual([`${id}.fullhouse`, 'report'].sort());
  });

  it('is upgraded by its first change, and the original stays next to it', () => {
    const id = place(name);
    const path = library.path(id);
    const [format, original] = [formatOf(path), hashOf(path)];
    const before = contentOf(library, id);
    const open = library.open(id);
    expect(open.count()).toBeGreaterThan(0);
    const row = library.keep(id, { addTags: ['seen'] });
    expect(row.tags).toContain('seen');
    expect(formatOf(path)).toBe(runFormat);
    expect(hashOf(`${path}.v${format}`)).toBe(original);
    expect(contentOf(library, id)).toEqual(before);
    expect(open.count()).toBeGreaterThan(0);
    open.close();
    library.rename(id, 'Another name');
    expect(library.list().map((each) => [each.id, each.name])).toEqual([[id, 'Another name']]);
    expect(readdirSync(folder).sort()).toEqual([`${id}.fullhouse`, `${id}.fullhouse.v${format}`]);
  });

  it('goes to the trash and back with its original', () => {
    const id = place(name);
    library.keep(id, { note: 'ScannedTable.' });
    const names = readdirSync(folder);
    library.delete(id);
    expect(readdirSync(folder)).toEqual(['.trash']);
    openRunLibrary(folder);
    library.undelete(id);
    expect(readdirSync(folder)).toEqual(['.trash', ...names]);
  });
});

/** Changes a file by SQL. */
function change(id: string, sql: string): void {
  const database = new Database(library.path(id));
  database.exec(sql);
  database.close();
}

const asRunning = (writer: object): string => `
  UPDATE meta SET value = json_set(value, '$.state', 'running') WHERE key = 'view';
  INSERT INTO meta VALUES ('writer', '${JSON.stringify(writer)}');`;

it('an older run of a killed process is recovered in the current format', () => {
  const id = place('1-stages.fullhouse');
  const path = library.path(id);
  const writer = new Database(path);
  writer.exec(`PRAGMA journal_mode = WAL; ${asRunning({ ...ownMark(), host: 'gone' })}`);
  for (const beside of ['', '-wal']) copyFileSync(path + beside, `${library.path('killed')}${beside}`);
  writer.close();
  const left = library.path('killed');
  const originals = ['', '-wal'].map((beside) => hashOf(left + beside));
  expect(library.summary('killed').verdict).toBe('interrupted');
  expect(formatOf(left)).toBe(runFormat);
  expect(['', '-wal'].map((beside) => hashOf(`${left}.v1${beside}`))).toEqual(originals);
  expect(existsSync(`${left}-wal`)).toBe(false);
  expect(readSaved(library, 'killed', (reader) => reader.view().state)).toBe('ended');
});

it('a run that an older version still records is read and not changed', () => {
  const id = place('1-stages.fullhouse');
  change(id, asRunning(ownMark()));
  const original = hashOf(library.path(id));
  expect(readSaved(library, id, (reader) => reader.view().plan.also?.[0]?.fidelity)).toBe('browser');
  expect(() => library.keep(id, { note: 'ScannedTable.' })).toThrow(
    'is being recorded by an older version of Fullhouse',
  );
  expect(hashOf(library.path(id))).toBe(original);
  expect(readdirSync(folder)).toEqual([`${id}.fullhouse`]);
});

it('unknown fields stay in the file when the run is changed', () => {
  const id = place('1-first.fullhouse');
  change(id, "UPDATE meta SET value = json_set(value, '$.later', 7) WHERE key = 'view'");
  library.rename(id, 'Another name');
  const found = new Database(library.path(id)).row(
    "SELECT CAST(value ->> '$.later' AS INTEGER) FROM meta WHERE key = 'view'",
  );
  expect(found).toEqual([7]);
});

it('losses of an older file stay known after its upgrade', () => {
  const id = place('2-checksums.fullhouse');
  change(id, 'DELETE FROM event WHERE id = 2');
  const integrity = (): unknown => readSaved(library, id, (reader) => reader.integrity());
  const before = integrity();
  expect(before).toEqual({ state: 'damaged', sentences: ['1 event is damaged or missing and left out.'] });
  library.rename(id, 'Another name');
  expect(integrity()).toEqual(before);
});

it('notes of an imported copy upgrade the older file only if they are new', () => {
  const id = place('1-stages.fullhouse');
  const other = openRunLibrary(join(folder, 'other'));
  const copy = other.importFile(library.path(id)).id;
  renameSync(library.path(id), library.path(copy));
  const news = (): string | undefined => {
    other.exportFile(copy, join(folder, 'copy'));
    return library.importFile(join(folder, 'copy')).outcome;
  };
  expect(news()).toBe('This run already exists, and the file contains nothing new.');
  expect(formatOf(library.path(copy))).toBe(1);
  const note = { uid: 'new', timeMs: 1, author: 'you', writtenBy: 'me', text: 'A note.', writtenMs: 2 };
  other.change(copy, 'Not saved', (database) => saveAnnotations(database, [note]));
  expect(news()).toBe('1 note was added to the existing run.');
  expect(formatOf(library.path(copy))).toBe(runFormat);
});

it('repeats are found across formats', () => {
  const [old, now] = ['2-baseline.fullhouse', '3-fidelity.fullhouse'].map((name) => library.summary(place(name)));
  expect(old?.planShape).toContain('whep browser');
  expect(old?.planShape).toBe(now?.planShape);
});

it('names of older files are read as the current ones', () => {
  const id = place('3-limit.fullhouse');
  const names = (path: string): readonly unknown[] =>
    new Database(path).rows('SELECT CAST(series AS TEXT) FROM series').flat();
  expect(names(library.path(id))).toContain('testerFailedHere');
  readSaved(library, id, (reader) => {
    const { plan, limit, verdict, figures, layout } = reader.view();
    expect(plan.pull?.search?.maxViewers).toBe(16);
    expect(plan.thresholds?.map(({ series }) => series)).toEqual(['viewersFailedOnTester', 'originResponseMs']);
    expect(plan.stopWhen?.[0]?.what).toBe('viewersFailedOnTester');
    expect(limit).toMatchObject({ maxMet: 8, minMissed: 12, bottleneck: { what: 'origin-refuses' } });
    expect(library.summary(id).limit).toEqual(limit);
    expect(verdict?.headroom).toHaveLength(1);
    expect(figures.rateTarget).toBe(0);
    expect(layout?.layout.custom[0]?.series).toEqual(['arrivalRateTarget', 'arrivalRateAchieved']);
    expect(reader.values('audience', 'viewersFailedOnTester').value.length).toBeGreaterThan(5);
    expect(reader.summaries().some(({ series }) => series === 'viewersFailedOnTester')).toBe(true);
    expect(['failed', 'disconnected'].map((state) => reader.viewers(0, 10, state as 'failed').total)).toEqual([10, 10]);
  });
  library.rename(id, 'Upgraded');
  expect(names(library.path(id))).toContain('viewersFailedOnTester');
  expect(readSaved(library, id, (reader) => reader.viewers(0, 10, 'disconnected').total)).toBe(10);
});

it('a second upgrade keeps both originals', () => {
  const [name = ''] = older;
  const id = place(name);
  library.keep(id, { note: 'ScannedTable.' });
  place(name);
  library.keep(id, { note: 'ScannedTable again.' });
  const format = formatOf(join(fixtures, name));
  expect(readdirSync(folder)).toEqual(['', `.v${format}`, `.v${format}-2`].map((suffix) => `${id}.fullhouse${suffix}`));
});

it('a file of a newer format is refused in a sentence and not touched', () => {
  const [name = ''] = files;
  const id = place(name);
  const path = library.path(id);
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(runFormat + 1, 60);
  writeFileSync(path, bytes);
  const sentence =
    `${id}.fullhouse was written by a newer version of Fullhouse ` +
    `(run format ${runFormat + 1}, this one reads up to ${runFormat}). Update Fullhouse to open it.`;
  expect(library.list()).toMatchObject([{ verdict: 'damaged', problem: sentence }]);
  expect(() => library.keep(id, { note: 'ScannedTable.' })).toThrow(sentence);
  expect(() => library.open(id).view()).toThrow(sentence);
  expect(readFileSync(path).equals(bytes)).toBe(true);
  expect(readdirSync(folder)).toEqual([`${id}.fullhouse`]);
});
