import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { constants, deflateRawSync } from 'node:zlib';
import Libsql from 'libsql';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keepCustomerRun } from '../../../../tests/integration/servers/customerRun';
import { saveEmptyRun } from '../../../domain/redaction';
import { writeSnapshot } from '../../export/snapshot';
import { openRunLibrary } from '../index';
import { Probe, type Ended } from '../../../../tests/support/hostile/probing';
import type { Probed } from '../../../../tests/support/hostile/probe';

let folder: string;
let good: string;
let probe: Probe;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-hostile-'));
  const library = openRunLibrary(join(folder, 'made'));
  good = library.path(keepCustomerRun(library));
  probe = await Probe.make();
}, 60_000);
afterAll(async () => {
  await probe.remove();
  rmSync(folder, { recursive: true, force: true });
});

/** On a busy machine the first file can take a while. */
const patience = { timeout: 30_000 };

let count = 0;
/** A copy of a valid run changed by SQL, as an attacker would, or byte by byte. */
function spoiled(change: (file: Libsql.Database, path: string) => void): string {
  count += 1;
  const path = join(folder, `spoiled-${count}.fullhouse`);
  copyFileSync(good, path);
  const file = new Libsql(path);
  change(file, path);
  file.close();
  return path;
}

/** Writes into the schema what SQLite itself would refuse. */
function plant(file: Libsql.Database, sql: string, where: string): void {
  file.exec('PRAGMA writable_schema = ON');
  file.prepare(`UPDATE sqlite_master SET sql = ? WHERE ${where}`).run([sql]);
}

/** A header that claims more pages than the file has leads to the salvage. */
function claimMorePages(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(bytes.readUInt32BE(28) + 9, 28);
  writeFileSync(path, bytes);
}

async function one(path: string): Promise<Probed> {
  const answer = await probe.ask(path);
  expect(answer, (answer as Ended).ended).toHaveProperty('stages');
  const probed = answer as Probed;
  expect(probed.ms, 'ms').toBeLessThan(2000);
  expect(probed.rssMb, 'MB').toBeLessThan(300);
  expect(probed.stages.filter(({ outcome }) => outcome === 'raw')).toEqual([]);
  return probed;
}

const outcomes = ({ stages }: Probed): string[] => stages.map(({ outcome }) => outcome);
const refused = ['sentence', 'sentence', 'sentence'];

describe('a hostile run file', patience, () => {
  const attach = (to: string): string =>
    `; COMMIT; ATTACH '${to}' AS p; CREATE TABLE p.owned (x); INSERT INTO p.owned VALUES ('ssh-ed25519 AAAA'); BEGIN`;
  const still =
    'CREATE TABLE still (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, cause TEXT NOT NULL, mime TEXT NOT NULL, data BLOB NOT NULL, crc INTEGER)';

  it('runs none of its SQL when it is salvaged', async () => {
    const written = join(folder, 'authorized_keys');
    const path = spoiled((file) => plant(file, still + attach(written), "name = 'still'"));
    claimMorePages(path);
    const probed = await one(path);
    expect(existsSync(written)).toBe(false);
    expect(outcomes(probed)).toEqual(refused);
  });

  it('runs none of its SQL when a snapshot is made of it', () => {
    const written = join(folder, 'snapshot_keys');
    const library = openRunLibrary(join(folder, 'snapshots'));
    // VACUUM copies the text of a view unchanged.
    const planted = spoiled((file) => {
      file.exec('CREATE VIEW v AS SELECT 1');
      plant(file, `CREATE VIEW v AS SELECT 1${attach(written)}`, "name = 'v'");
    });
    copyFileSync(planted, library.path('planted'));
    const out = join(folder, 'snapshot.out');
    let sentence = '';
    try {
      writeSnapshot(library, 'planted', saveEmptyRun, out);
    } catch (error) {
      sentence = (error as Error).message;
    }
    expect(existsSync(written)).toBe(false);
    expect(sentence).toContain('contains the view "v", which does not belong to a run or is defined differently');
    expect(existsSync(out)).toBe(false);
  });

  const long = 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000000)';
  it.each<[string, (file: Libsql.Database) => void, string]>([
    [
      'a trigger',
      (file) =>
        file.exec(
          'CREATE TABLE heap (x); CREATE TRIGGER slow AFTER INSERT ON meta BEGIN INSERT INTO heap SELECT randomblob(900) FROM still; END',
        ),
      'the table "heap"',
    ],
    [
      'a trigger alone',
      (file) => file.exec('CREATE TRIGGER slow AFTER DELETE ON meta BEGIN DELETE FROM block; END'),
      'the trigger "slow"',
    ],
    [
      'a recursive view in place of a table',
      (file) =>
        file.exec(
          `DROP TABLE viewer; CREATE VIEW viewer AS ${long} SELECT 'a' AS tester, 'b' AS job, x AS viewer, 'left' AS state, '{}' AS value, 0 AS crc FROM c`,
        ),
      'the view "viewer"',
    ],
    ['a view', (file) => file.exec('CREATE VIEW extra AS SELECT 1'), 'the view "extra"'],
    ['a virtual table', (file) => file.exec('CREATE VIRTUAL TABLE words USING fts5 (x)'), 'the table "words'],
    [
      'a generated column',
      (file) => file.exec('ALTER TABLE event ADD COLUMN more AS (hex(zeroblob(100000000)))'),
      'the table "event"',
    ],
    ['an index', (file) => file.exec('CREATE INDEX odd ON event (upper(value))'), 'the index "odd"'],
    ['an odd name', (file) => file.exec('CREATE TABLE "\u001b[31mred" (x)'), 'the table "?[31mred"'],
    [
      'swapped definitions',
      (file) =>
        plant(
          file,
          'CREATE TABLE event (id INTEGER PRIMARY KEY, value TEXT NOT NULL, time_ms INTEGER NOT NULL, crc INTEGER)',
          "name = 'event'",
        ),
      'the table "event"',
    ],
    [
      'two tables in one place',
      (file) =>
        file.exec(
          "PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'event') WHERE name = 'overview'",
        ),
      'the table "overview"',
    ],
  ])('is refused with %s, and named', async (_, change, names) => {
    const probed = await one(spoiled(change));
    expect(outcomes(probed)).toEqual(refused);
    expect(probed.stages[1]?.text).toContain(names);
  });

  it('is limited when a minute unpacks to gigabytes', async () => {
    const zeros = Buffer.alloc(64 * 2 ** 20);
    const part = deflateRawSync(zeros, { finishFlush: constants.Z_FULL_FLUSH });
    const bomb = Buffer.concat([...Array<Buffer>(48).fill(part), deflateRawSync(zeros)]);
    const probed = await one(
      spoiled((file) => {
        file.prepare('UPDATE block SET data = ?').run([bomb]);
        // Without checksums, as in an older file.
        file.exec("DELETE FROM meta WHERE key = 'manifest'; UPDATE block SET crc = NULL");
      }),
    );
    expect(outcomes(probed)).toEqual(['damaged', 'damaged', 'damaged']);
    expect(probed.stages[0]?.text).toContain('are damaged and left out.');
  });

  it.each([false, true])('is refused when it claims a span of millions of years, truncated: %s', async (isCut) => {
    const path = spoiled((file) => {
      file.exec("DELETE FROM meta WHERE key = 'manifest'");
      file.exec(
        "UPDATE meta SET crc = NULL, value = json_set(value, '$.startedMs', 0, '$.endedMs', 9007199254740991) WHERE key IN ('view', 'summary')",
      );
    });
    if (isCut) claimMorePages(path);
    const probed = await one(path);
    expect(outcomes(probed)).toEqual(refused);
    expect(probed.stages[1]?.text).toContain(isCut ? 'is truncated' : 'contains times that are impossible');
  });

  it.each([
    ['meta', 'value'],
    ['meta', 'key'],
    ['series', 'node'],
    ['series', 'series'],
    ['event', 'value'],
    ['event', 'time_ms'],
    ['block', 'data'],
    ['block', 'samples'],
    ['still', 'cause'],
    ['still', 'data'],
    ['viewer', 'state'],
    ['viewer', 'value'],
    ['overview', 'data'],
  ])('does not end the process with a text in %s.%s that is not UTF-8', async (table, column) => {
    const probed = await one(
      spoiled((file) => {
        file.exec("DELETE FROM meta WHERE key = 'manifest'");
        const one = `rowid = (SELECT min(rowid) FROM ${table})`;
        const where = { meta: "key = 'view'", viewer: 'viewer = 7' }[table] ?? one;
        file.exec(`UPDATE ${table} SET crc = NULL, ${column} = CAST(x'fffe80c3' AS TEXT) WHERE ${where}`);
      }),
    );
    expect(outcomes(probed)).not.toContain('verified');
  });

  it('does not change a figure through one wrong bit', async () => {
    const minute = spoiled((file) => {
      const [row] = file.prepare('SELECT minute_ms, data FROM block ORDER BY minute_ms').raw().all([]) as unknown as [
        [number, Buffer],
      ];
      const [at, data] = row;
      // A value within the minute; it still unpacks.
      const changed = Buffer.from(data);
      const middle = changed.length >> 1;
      changed[middle] = (changed[middle] ?? 0) ^ 4;
      file.prepare('UPDATE block SET data = ? WHERE minute_ms = ?').run([changed, at]);
    });
    const [whole, bad] = [await one(good), await one(minute)];
    expect(outcomes(whole)).toEqual(['verified', 'verified', 'verified']);
    expect(outcomes(bad)).toEqual(['damaged', 'damaged', 'damaged']);
    expect(bad.stages.map(({ text }) => text)).toEqual(
      Array(3).fill('Samples from 15:20 to 15:21 UTC are damaged and left out.'),
    );
  });

  it('of the format without checksums reads as before, unverified', async () => {
    const old = join(import.meta.dirname, '../../../../tests/fixtures/runs/1-customer.fullhouse');
    const [before, now] = [await one(good), await one(old)];
    expect(outcomes(now)).toEqual(['unverified', 'unverified', 'unverified']);
    // Details of single viewers were added in a later version; the rest is the same run.
    const known = ({ stages }: Probed) => stages.map(({ parts: { viewerDetails: _, ...rest } }) => rest);
    expect(known(now)).toEqual(known(before));
  });
});
