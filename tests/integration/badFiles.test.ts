import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openRunLibrary, type RunLibrary } from '../../src/engine/store';
import { Database } from '../../src/engine/store/database';
import { writeMeta } from '../../src/engine/store/meta';
import { keepCustomerRun } from './servers/customerRun';
import { cleanUp, temporaryFolder } from './undo';

let folder: string;
let library: RunLibrary;
let good: string;

beforeEach(() => {
  folder = temporaryFolder();
  library = openRunLibrary(join(folder, 'runs'));
  const elsewhere = openRunLibrary(join(folder, 'elsewhere'));
  good = elsewhere.path(keepCustomerRun(elsewhere));
});
afterEach(cleanUp);

/** A damaged copy of the valid file. */
function spoiled(name: string, spoil: (path: string) => void): string {
  const path = join(folder, name);
  copyFileSync(good, path);
  spoil(path);
  return path;
}

function put(path: string, offset: number, bytes: Uint8Array): void {
  const file = openSync(path, 'r+');
  writeSync(file, bytes, 0, bytes.length, offset);
  closeSync(file);
}

const kinds: ReadonlyArray<readonly [string, () => string, RegExp]> = [
  [
    'of a newer version',
    () => spoiled('newer.fullhouse', (path) => put(path, 60, Buffer.from([0, 0, 0, 9]))),
    /^newer\.fullhouse was written by a newer version of Fullhouse \(run format 9, this one reads up to \d+\)\. Update Fullhouse to open it\.$/,
  ],
  [
    'cut in half',
    () => spoiled('half.fullhouse', (path) => truncateSync(path, Math.floor(readFileSync(path).length / 2))),
    /^half\.fullhouse is truncated: [\d,]+ of [\d,]+ bytes\. Copy it again from its source\.$/,
  ],
  [
    'cut within its head',
    () => spoiled('head.fullhouse', (path) => truncateSync(path, 60)),
    /^head\.fullhouse is not a Fullhouse run\. Choose a \.fullhouse file\.$/,
  ],
  [
    'of other programs that use SQLite',
    () => {
      const path = join(folder, 'notes.fullhouse');
      const database = new Database(path);
      database.exec('CREATE TABLE notes (text TEXT)');
      database.close();
      return path;
    },
    /^notes\.fullhouse is not a Fullhouse run\./,
  ],
  [
    'of text',
    () => {
      const path = join(folder, 'plan.fullhouse');
      writeFileSync(path, 'name: a plan that was called a run\n'.repeat(20));
      return path;
    },
    /^plan\.fullhouse is not a Fullhouse run\./,
  ],
  [
    'that are empty',
    () => {
      const path = join(folder, 'empty.fullhouse');
      writeFileSync(path, '');
      return path;
    },
    /^empty\.fullhouse is empty: it was never written, or not copied completely\.$/,
  ],
  [
    'with holes in them',
    () => spoiled('holes.fullhouse', (path) => put(path, 4096, Buffer.alloc(4096 * 4))),
    /^holes\.fullhouse is damaged: parts of it are inconsistent\. Copy it again from its source\.$/,
  ],
  [
    'whose view is something else',
    () =>
      spoiled('view.fullhouse', (path) => {
        const database = new Database(path);
        writeMeta(database, 'view', { id: 3 } as never);
        database.close();
      }),
    /^"view" in the run file is invalid\.$/,
  ],
  [
    'that are folders',
    () => {
      const path = join(folder, 'folder.fullhouse');
      mkdirSync(path);
      return path;
    },
    /^folder\.fullhouse is a folder, not a run\. Choose a \.fullhouse file\.$/,
  ],
  ['that are missing', () => join(folder, 'gone.fullhouse'), /^gone\.fullhouse no longer exists\.$/],
];

describe('files', () => {
  it.each(kinds)('%s are refused in one sentence, and nothing is lost', (_, make, sentence) => {
    const here = library.importFile(good);
    const before = readFileSync(library.path(here.id));
    expect(() => library.importFile(make())).toThrow(sentence);
    expect(library.list().map(({ id, verdict }) => [id, verdict])).toEqual([[here.id, 'fail']]);
    expect(readFileSync(library.path(here.id)).equals(before)).toBe(true);
    expect(library.importFile(good).outcome).toBe('This run already exists, and the file contains nothing new.');
  });

  it('of an existing run change nothing, even in the runs folder', () => {
    const here = library.importFile(good);
    expect(here.outcome).toBeUndefined();
    expect(library.importFile(library.path(here.id)).id).toBe(here.id);
    expect(library.list()).toHaveLength(1);
  });

  it('copied manually into the runs folder are listed as damaged', () => {
    writeFileSync(join(library.folder, 'by-hand.fullhouse'), 'not a run at all');
    expect(library.list()).toMatchObject([
      {
        id: 'by-hand',
        verdict: 'damaged',
        problem: expect.stringMatching(/is not a Fullhouse run/) as string,
      },
    ]);
    expect(library.importFile(good).outcome).toBeUndefined();
  });
});
