import { copyFileSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import Libsql from 'libsql';

/** Ways to damage a run file, each drawn at random: what a disk, a network or an author can do to it. */
export interface DamageKind {
  readonly name: string;
  readonly damages: fc.Arbitrary<DamageSpec>;
}

/** How one file is damaged; its JSON reproduces it. */
export type DamageSpec =
  | { readonly kind: 'flip'; readonly at: readonly number[]; readonly bit: number }
  | { readonly kind: 'cut'; readonly share: number; readonly off: number }
  | { readonly kind: 'zero'; readonly pages: readonly number[] }
  | { readonly kind: 'schema'; readonly sql: readonly string[]; readonly isCut: boolean };

/** A position in the file, uniformly distributed: fractions would be concentrated at both ends. */
const share = fc.noBias(fc.nat(2 ** 30 - 1)).map((place) => place / 2 ** 30);
const table = fc.constantFrom('meta', 'series', 'sample', 'block', 'event', 'still', 'viewer', 'overview');
const name = fc.oneof(table, fc.constantFrom('x', 'sqlite_stat9', '\u001b[2J', 'naïve', 'block2'));
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const endless = 'WITH RECURSIVE c (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT x FROM c';
const planted = fc.constantFrom(
  "; COMMIT; ATTACH 'owned.db' AS p; CREATE TABLE p.owned (x); BEGIN",
  ' STRICT',
  ', CHECK (length(hex(zeroblob(500000000))) > 0)',
  '',
);

/** SQL that the author of a hostile file can have executed; what SQLite refuses is not an attack. */
const foreignSql: fc.Arbitrary<string> = fc.oneof(
  fc
    .tuple(name, table, fc.constantFrom('INSERT', 'UPDATE', 'DELETE'))
    .map(
      ([made, on, when]) =>
        `CREATE TRIGGER ${quoted(`t_${made}`)} AFTER ${when} ON ${on} BEGIN DELETE FROM block; INSERT INTO series SELECT NULL, x, x FROM (${endless}); END`,
    ),
  name.map((made) => `CREATE VIEW ${quoted(`v_${made}`)} AS ${endless}`),
  table.map((on) => `DROP TABLE ${on}; CREATE VIEW ${on} AS ${endless}`),
  name.map((made) => `CREATE VIRTUAL TABLE ${quoted(`f_${made}`)} USING fts5 (x)`),
  fc
    .tuple(table, name)
    .map(([on, made]) => `ALTER TABLE ${on} ADD COLUMN ${quoted(made)} AS (hex(zeroblob(200000000)))`),
  fc.tuple(table, name).map(([on, made]) => `CREATE INDEX ${quoted(`i_${made}`)} ON ${on} (rowid)`),
  fc
    .tuple(table, table)
    .map(
      ([one, other]) =>
        `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = (SELECT replace(sql, '${other}', '${one}') FROM sqlite_master WHERE name = '${other}') WHERE name = '${one}'`,
    ),
  fc
    .tuple(table, planted)
    .map(
      ([on, more]) =>
        `PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = sql || '${more.replaceAll("'", "''")}' WHERE name = '${on}'`,
    ),
  fc
    .tuple(table, table)
    .map(
      ([one, other]) =>
        `PRAGMA writable_schema = ON; UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = '${other}') WHERE name = '${one}'`,
    ),
  fc
    .tuple(
      table,
      fc.constantFrom('value', 'data', 'node', 'series', 'state', 'cause', 'crc', 'key', 'samples', 'time_ms'),
    )
    .map(([on, column]) => `UPDATE ${on} SET ${column} = CAST(x'fffe80c3' AS TEXT)`),
  fc
    .tuple(fc.constantFrom('block', 'event', 'still', 'overview'), fc.constantFrom('value', 'data', 'crc'))
    .map(
      ([on, column]) => `UPDATE ${on} SET ${column} = zeroblob(17000000) WHERE rowid = (SELECT min(rowid) FROM ${on})`,
    ),
  table.map((on) => `DROP TABLE ${on}`),
  table.map((on) => `DELETE FROM ${on} WHERE rowid = (SELECT min(rowid) FROM ${on})`),
  fc.tuple(table, fc.constantFrom(0, -1, 1e15, 2 ** 53)).map(([on, at]) => `UPDATE ${on} SET time_ms = ${at}`),
  fc.constantFrom(
    "UPDATE meta SET crc = NULL, value = json_set(value, '$.startedMs', 0, '$.endedMs', 9e15); DELETE FROM meta WHERE key = 'manifest'",
    "UPDATE meta SET key = 'manifest' WHERE key = 'summary'",
    'UPDATE block SET minute_ms = minute_ms + 1',
    'UPDATE block SET crc = (SELECT crc FROM event)',
  ),
);

/** The four kinds of damage. */
export const damageKinds: readonly DamageKind[] = [
  {
    name: 'bits flipped',
    damages: fc.record({
      kind: fc.constant('flip' as const),
      at: fc.array(share, { minLength: 1, maxLength: 8 }),
      bit: fc.nat(7),
    }),
  },
  {
    name: 'truncation',
    damages: fc.record({ kind: fc.constant('cut' as const), share, off: fc.nat(3) }),
  },
  {
    name: 'pages zeroed',
    damages: fc.record({
      kind: fc.constant('zero' as const),
      pages: fc.array(share, { minLength: 1, maxLength: 3 }),
    }),
  },
  {
    name: 'foreign schema',
    damages: fc.record({
      kind: fc.constant('schema' as const),
      sql: fc.array(foreignSql, { minLength: 1, maxLength: 3 }),
      isCut: fc.boolean(),
    }),
  },
];

const pageBytes = 4096;

/** Writes a damaged copy of a run file. */
export function applyDamage(good: string, path: string, how: DamageSpec): void {
  copyFileSync(good, path);
  if (how.kind === 'schema') {
    plant(path, how.sql);
    if (how.isCut) claimMore(path);
    return;
  }
  const bytes = readFileSync(path);
  if (how.kind === 'cut') {
    // At the edge of a page as well as within one.
    const at = Math.floor(how.share * bytes.length);
    truncateSync(path, how.off === 0 ? at - (at % pageBytes) : at);
    return;
  }
  if (how.kind === 'flip')
    for (const place of how.at) {
      const at = Math.floor(place * bytes.length);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << how.bit);
    }
  else
    for (const place of how.pages) {
      const at = Math.floor((place * bytes.length) / pageBytes) * pageBytes;
      // The first page is the file's header, which has tests in `fileHeader.ts`.
      bytes.fill(0, Math.max(at, pageBytes), at + pageBytes);
    }
  writeFileSync(path, bytes);
}

function plant(path: string, statements: readonly string[]): void {
  const file = new Libsql(path);
  for (const sql of statements)
    try {
      file.exec(sql);
    } catch {
      // SQLite refused it: the author of a file can't have it either.
    }
  file.close();
}

/** A header that claims more pages than exist leads to the salvage. */
function claimMore(path: string): void {
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(bytes.readUInt32BE(28) + 5, 28);
  writeFileSync(path, bytes);
}
