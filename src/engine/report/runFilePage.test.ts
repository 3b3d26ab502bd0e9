import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { saveThousandViewers } from '../../../tests/support/reportRun';
import type { ViewerRow } from '../../contract/viewerSchemas';
import { openRunLibrary, readSaved, type RunReader } from '../store';
import { Database } from '../store/database';
import { everyTable } from '../store/tables';
import { csvHead, csvLines } from './csv';
import { writeSqlite } from './sqlite';
import { plainTables, plainViews } from './sqliteTables';

const page = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'run-file.md'), 'utf8');

/** The tables below a heading of the page, with their columns. */
function tablesUnder(heading: string): Record<string, string[]> {
  const section = page.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
  const rows = [...section.matchAll(/^\| `(\w+)` \| ((?:`\w+`(?:, )?)+) \|/gm)];
  return Object.fromEntries(
    rows.map(([, name = '', columns = '']) => [name, [...columns.matchAll(/`(\w+)`/g)].map(([, each = '']) => each)]),
  );
}

const numbers = { packets: 900, bytes: 90_000, lost: 2, lossPercent: 0.2, frames: 250, stalls: 0, stalledMs: 0 };
/** More than are read at once. */
const viewers = Array.from({ length: 6000 }, (_, i): ViewerRow => ({
  ...{ tester: 'audience', job: 'pull-1', viewer: i + 1, state: i % 100 ? 'disconnected' : 'failed' },
  ...{ ...numbers, degraded: false },
  ...(i % 100 ? { connectMs: 10 + i / 100 } : { failure: { stage: 'ice', cause: 'ice-timeout', detail: 'None.' } }),
}));

let folder: string;
let database: Database;
let csv = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fullhouse-sqlite-'));
  const library = openRunLibrary(join(folder, 'runs'), { repeat: () => () => undefined });
  saveThousandViewers(library);
  const path = join(folder, 'run.sqlite');
  readSaved(library, 'thousand', (saved) => {
    // The run was saved without a list of viewers.
    const reader: RunReader = Object.assign(Object.create(saved) as RunReader, {
      viewers: (offset: number, limit: number) => ({
        total: viewers.length,
        viewers: viewers.slice(offset, offset + limit),
      }),
    });
    // An older file at the same path is replaced.
    for (let times = 0; times < 2; times += 1) writeSqlite(reader, path);
    csv = [csvHead, ...[...reader.minutes()].map((batch) => csvLines(batch))].join('');
  });
  database = new Database(path);
});
afterAll(() => {
  database.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('docs/run-file.md', () => {
  it('has the tables and columns of a run file', () => {
    expect(tablesUnder('Tables of the run file')).toEqual(
      Object.fromEntries(everyTable.map(({ name, columns }) => [name, columns.map((column) => column.name)])),
    );
  });

  it('has the tables, views and columns of plain tables', () => {
    const views = Object.keys(plainViews).map((name): [string, string[]] => [
      name,
      database.rows(`SELECT CAST(name AS BLOB) FROM pragma_table_info('${name}')`).map(([column]) => textOf(column)),
    ]);
    expect(tablesUnder('Plain tables')).toEqual({
      ...Object.fromEntries(plainTables.map(({ name, columns }) => [name, columns.map(([column]) => column)])),
      ...Object.fromEntries(views),
    });
  });

  const queries = [...page.matchAll(/^```sql\n([\s\S]*?)^```/gm)].map(([, sql = '']) => sql.trim());
  it('has queries', () => expect(queries.length).toBeGreaterThanOrEqual(5));
  it.each(queries)('has a query that finds something: %s', (sql) => {
    expect(database.rows(sql).length).toBeGreaterThan(0);
  });
});

const textOf = (value: unknown): string => Buffer.from(value as Uint8Array).toString();

describe('a run as plain tables', () => {
  it('has every sample of the CSV export with its time, names, unit and value', () => {
    const rows = database.rows(
      `SELECT CAST(time_ms || ',' || node || ',' || series || ',' || unit AS BLOB), value FROM sample ORDER BY time_ms`,
    );
    const lines = csv.trim().split('\r\n').slice(1);
    expect(rows.length).toBeGreaterThan(1000);
    const plain = rows.map(([names, value]) => `${textOf(names)},${String(value)}`).sort();
    const expected = lines.map((line) => line.replace(/^[^,]+/, (time) => String(Date.parse(time)))).sort();
    expect(plain).toEqual(expected);
  });

  it('has one row for the run, and one for each viewer', () => {
    expect(database.rows('SELECT viewers_requested, viewers_connected_peak FROM run')).toEqual([[1000, 996]]);
    const counted = 'SELECT count(*), count(DISTINCT viewer), count(connect_ms), count(failure_cause) FROM viewer';
    expect(database.rows(counted)).toEqual([[6000, 6000, 5940, 60]]);
    expect(database.rows('SELECT min(connect_ms), max(loss_percent), max(stalled_ms) FROM viewer')).toEqual([
      [10.01, 0.2, 0],
    ]);
    expect(database.rows('SELECT packets, bytes, lost, frames, stalls FROM viewer WHERE viewer = 2')).toEqual([
      [900, 90_000, 2, 250, 0],
    ]);
  });

  it('counts seconds from the start of the run, also before it', () => {
    const { second } = plainViews;
    const of = (timeMs: number): unknown => {
      const sql = `WITH run AS (SELECT 10000 AS started_ms), sample_value AS (SELECT 1 AS series_id, ${timeMs} AS time_ms,
        1 AS value), series AS (SELECT 1 AS id, 'n' AS node, 's' AS series) SELECT second FROM (${second})`;
      return database.rows(sql)[0]?.[0];
    };
    expect([9001, 9999, 10_000, 10_999, 11_000].map(of)).toEqual([-1, -1, 0, 0, 1]);
  });

  it('leaves no unfinished file', () => {
    expect(readdirSync(folder).sort()).toEqual(['run.sqlite', 'runs']);
  });
});
