import { renameSync, rmSync } from 'node:fs';
import { integrityText } from '../../domain/run/integrityText';
import { planToYaml } from '../../domain/plan/planYaml';
import { seriesDefinition } from '../../domain/series/series';
import { visible } from '../../domain/text/visibleText';
import type { RunReader } from '../store';
import { Database, type SqlValue } from '../store/database';
import { createPlain, plainTables, plainViews, type PlainTableName } from './sqliteTables';

const viewersAtOnce = 5000;

type Value = string | number | undefined;
type Add = (table: PlainTableName, values: readonly Value[]) => void;

/**
 * Writes a run as plain tables for SQL: a run file packs its samples, which SQL can't read. Throws the file system's or
 * SQLite's error.
 */
export function writeSqlite(reader: RunReader, path: string): void {
  // Complete before it takes the place of an older one.
  const part = `${path}.part`;
  rmSync(part, { force: true });
  try {
    const database = new Database(part);
    try {
      // A file of its own that is written once: a crash leaves only the part.
      database.rows('PRAGMA journal_mode = OFF');
      database.exec('PRAGMA synchronous = OFF');
      database.transaction(() => fill(database, reader));
    } finally {
      database.close();
    }
    renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
}

function fill(database: Database, reader: RunReader): void {
  const inserts = new Map<PlainTableName, string>();
  for (const table of plainTables) {
    database.exec(createPlain(table));
    inserts.set(table.name, `INSERT INTO ${table.name} VALUES (${table.columns.map(() => '?').join(', ')})`);
  }
  for (const [name, sql] of Object.entries(plainViews)) database.exec(`CREATE VIEW ${name} AS ${sql}`);
  const add: Add = (table, values) =>
    database.run(
      inserts.get(table) ?? '',
      ...values.map((value): SqlValue => (typeof value === 'string' ? visible(value) : (value ?? null))),
    );
  const names = new Map(reader.view().nodes.map(({ id, name }) => [id, name]));
  const nameOf = (node: string): string => names.get(node) ?? node;
  addRun(add, reader, nameOf);
  addSamples(add, reader, nameOf);
  for (const { id, timeMs, kind, mark, node, who, sentence, outcome } of reader.events())
    add('event', [id, timeMs, kind, mark, node === undefined ? undefined : nameOf(node), who, sentence, outcome]);
  addViewers(add, reader, nameOf);
}

function addRun(add: Add, reader: RunReader, nameOf: (node: string) => string): void {
  const { id, name, startedMs, endedMs, verdict, figures, plan, nodes, phases, integrity } = reader.view();
  const { requested, connectedPeak, failed, degradedPeak } = figures;
  add('run', [
    ...[id, name, startedMs, endedMs, verdict?.verdict, verdict?.sentence, requested, connectedPeak, failed],
    ...[degradedPeak, planToYaml(plan), reader.engine().version, integrityText(integrity)],
  ]);
  for (const node of nodes) add('node', [node.id, node.name, node.role, node.server, node.software, node.host]);
  for (const phase of phases) add('phase', [phase.name, phase.startMs, phase.endMs]);
  for (const { number, timeMs, sentence, expected, node, series } of verdict?.reasons ?? [])
    add('reason', [number, timeMs, sentence, expected, node === undefined ? undefined : nameOf(node), series]);
  for (const { node, series, count, min, mean, p50, p95, p99, max, last, maxMs } of reader.summaries())
    add('figure', [nameOf(node), series, unitOf(series), count, min, mean, p50, p95, p99, max, last, maxMs]);
}

const unitOf = (series: string): string => seriesDefinition(series)?.unit ?? '';

function addSamples(add: Add, reader: RunReader, nameOf: (node: string) => string): void {
  const ids = new Map<string, number>();
  for (const { node, series } of reader.keys()) {
    ids.set(JSON.stringify([node, series]), ids.size + 1);
    add('series', [ids.size, nameOf(node), series, seriesDefinition(series)?.title ?? series, unitOf(series)]);
  }
  for (const { keys, key, timeMs, value } of reader.minutes()) {
    const places = keys.map(({ node, series }) => ids.get(JSON.stringify([node, series])));
    for (const [i, place] of key.entries()) add('sample_value', [places[place], timeMs[i], value[i]]);
  }
}

function addViewers(add: Add, reader: RunReader, nameOf: (node: string) => string): void {
  for (let offset = 0; ; offset += viewersAtOnce) {
    const { total, viewers } = reader.viewers(offset, viewersAtOnce);
    for (const each of viewers)
      add('viewer', [
        ...[nameOf(each.tester), each.job, each.viewer, each.state, each.arrivedMs, each.connectMs],
        ...[each.firstFrameMs, each.packets, each.bytes, each.lost, each.frames, each.freezes, each.lossPercent],
        ...[each.jitterMs, each.frozenMs, each.roundTripMs, each.delayMs, each.degradedMs, each.degradedReason],
        ...[each.failure?.stage, each.failure?.cause],
      ]);
    if (offset + viewersAtOnce >= total) return;
  }
}
