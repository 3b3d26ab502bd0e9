import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keepCustomerRun } from '../../../tests/integration/servers/customerRun';
import type { RunIntegrity } from '../../domain/model/run';
import { saveAnnotations } from './annotations';
import { crc32c } from './crc32c';
import { Database, textAt } from './database';
import { runFormat } from './format/steps';
import { openRunLibrary, readSaved } from './index';
import type { RunLibrary } from './types';

let folder: string;
let library: RunLibrary;
let run: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-integrity-'));
  library = openRunLibrary(folder);
  run = keepCustomerRun(library);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const integrity = (id = run): RunIntegrity => readSaved(library, id, (reader) => reader.integrity());

function change(sql: string): void {
  const database = new Database(library.path(run));
  database.exec(sql);
  database.close();
}

/** All that is written to a run after its end. */
function writeLater(id: string): void {
  library.rename(id, 'Another name');
  library.keep(id, { addTags: ['later'], note: 'ScannedTable.' });
  const annotation = {
    uid: 'abc',
    timeMs: 1,
    author: 'you',
    writtenBy: 'me',
    text: 'A note.',
    writtenMs: 2,
  };
  library.withDatabase(id, (database) => saveAnnotations(database, [annotation]));
  readSaved(library, id, (reader) => [reader.summaries(), reader.overview(0, 4e12, 10)]);
}

it('CRC32C is that of RFC 3720, whatever the pieces', () => {
  const bytes = new TextEncoder().encode('123456789');
  expect(crc32c(bytes) >>> 0).toBe(0xe3069283);
  expect(crc32c(new Uint8Array(32)) >>> 0).toBe(0x8a9136aa);
  expect(crc32c(bytes.subarray(4), crc32c(bytes.subarray(0, 4)))).toBe(crc32c(bytes));
});

it('a text that the driver has decoded is refused: its query lacks the CAST', () => {
  expect(() => textAt(['a text'], 0)).toThrow('was not read as bytes');
  expect(() => textAt([Uint8Array.of(0xff, 0xfe)], 0)).toThrow('is not UTF-8');
});

describe('the integrity of a run', () => {
  it('is verified, also after later changes, an export and an import', () => {
    writeLater(run);
    expect(integrity()).toEqual({ state: 'verified', sentences: [] });
    const path = join(folder, 'copy');
    library.exportFile(run, path);
    library.delete(run);
    expect(integrity(library.importFile(path).id)).toEqual({ state: 'verified', sentences: [] });
  });

  it.each([
    ['DELETE FROM block WHERE minute_ms = (SELECT max(minute_ms) FROM block)', '1 minute of samples'],
    ['DELETE FROM event WHERE id = 2', '1 event'],
    ["UPDATE viewer SET state = 'disconnected'", '1 viewer'],
    ['INSERT INTO event SELECT id + 10, time_ms, value, crc FROM event WHERE id = 1', '1 event'],
    ["DELETE FROM meta WHERE key = 'kept'", '1 part of the description'],
    ["UPDATE series SET node = 'acme-load-2' WHERE id = 2", '1 series'],
  ])('notices %s', (sql, what) => {
    change(sql);
    expect(integrity()).toEqual({
      state: 'damaged',
      sentences: [`${what} is damaged or missing and left out.`],
    });
    writeLater(run);
    expect(integrity().sentences).toContain(`${what} is damaged or missing and left out.`);
    const path = join(folder, 'copy');
    library.exportFile(run, path);
    library.delete(run);
    expect(integrity(library.importFile(path).id).state).toBe('damaged');
  });

  it('stays unverified for a run recorded without checksums, and nothing else changes', () => {
    const old = join(import.meta.dirname, '../../../tests/fixtures/runs/1-customer.fullhouse');
    library.delete(run);
    const path = library.path('old');
    copyFileSync(old, path);
    const values = readSaved(library, 'old', (reader) => reader.values('acme-media', 'cpuPercent'));
    expect(values.value).toHaveLength(90);
    expect(new Database(path).format).toBe(1);
    writeLater('old');
    expect(new Database(path).format).toBe(runFormat);
    expect(library.summary('old')).toMatchObject({ name: 'Another name', note: 'ScannedTable.' });
    expect(readSaved(library, 'old', (reader) => reader.values('acme-media', 'cpuPercent'))).toEqual(values);
    library.compact('old');
    expect(integrity('old').state).toBe('unverified');
    const copy = join(folder, 'copy');
    library.exportFile('old', copy);
    library.delete('old');
    expect(integrity(library.importFile(copy).id).state).toBe('unverified');
  });
});
