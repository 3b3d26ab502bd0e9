import { renameSync, rmSync } from 'node:fs';
import { integrityText } from '../../domain/run/integrityText';
import type { ViewerRow } from '../../contract/viewerSchemas';
import { planToYaml } from '../../domain/plan/planYaml';
import { seriesDefinition } from '../../domain/series/series';
import { visible } from '../../domain/text/visibleText';
import type { RunReader } from '../store';
import { Database, type SqlValue } from '../store/database';
import {
  createPlain,
  plainTables,
  plainViews,
  type PlainColumn,
  type PlainTable,
  type PlainTableName,
} from './sqliteTables';

const viewersAtOnce = 5000;

type Value = string | number | undefined;
type Add = <N extends PlainTableName>(table: N, row: Readonly<Record<PlainColumn<N>, Value>>) => void;

/** The name of a node of the run; others, such as an audience, keep their id. */
type NameOf = (node: string | undefined) => string | undefined;

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
  const tables = new Map<PlainTableName, PlainTable>(plainTables.map((table) => [table.name, table]));
  for (const table of plainTables) database.exec(createPlain(table));
  for (const [name, sql] of Object.entries(plainViews)) database.exec(`CREATE VIEW ${name} AS ${sql}`);
  const add: Add = (name, row: Readonly<Record<string, Value>>) => {
    const columns = tables.get(name)?.columns ?? [];
    const values = columns.map(([column]): SqlValue => {
      const value = row[column];
      return typeof value === 'string' ? visible(value) : (value ?? null);
    });
    database.run(`INSERT INTO ${name} VALUES (${columns.map(() => '?').join(', ')})`, ...values);
  };
  const names = new Map(reader.view().nodes.map(({ id, name }) => [id, name]));
  const nameOf: NameOf = (node) => names.get(node ?? '') ?? node;
  addRun(add, reader, nameOf);
  addSamples(add, reader, nameOf);
  for (const { id, timeMs, kind, mark, node, who, sentence, outcome } of reader.events())
    add('event', { id, time_ms: timeMs, kind, mark, node: nameOf(node), who, sentence, outcome });
  addViewers(add, reader, nameOf);
}

function addRun(add: Add, reader: RunReader, nameOf: NameOf): void {
  const { id, name, startedMs, endedMs, verdict, figures, plan, nodes, phases, integrity } = reader.view();
  add('run', {
    ...{ id, name, started_ms: startedMs, ended_ms: endedMs },
    ...{ verdict: verdict?.verdict, sentence: verdict?.sentence },
    viewers_requested: figures.requested,
    viewers_connected_peak: figures.connectedPeak,
    viewers_failed: figures.failed,
    viewers_degraded_peak: figures.degradedPeak,
    outages: verdict?.outages?.count,
    outages_sum_ms: verdict?.outages?.sumMs,
    outages_longest_ms: verdict?.outages?.longestMs,
    reconnections: verdict?.outages?.reconnections,
    plan: planToYaml(plan),
    fullhouse: reader.engine().version,
    integrity: integrityText(integrity),
  });
  for (const node of nodes) {
    const { role, server, software, host } = node;
    add('node', { id: node.id, name: node.name, role, server, software, host });
  }
  for (const phase of phases) add('phase', { name: phase.name, start_ms: phase.startMs, end_ms: phase.endMs });
  for (const { audience, fromMs, toMs, lowest, lowestMs, requested, causedBy } of verdict?.outages?.list ?? [])
    add('outage', {
      ...{ audience, from_ms: fromMs, to_ms: toMs, connected_min: lowest, connected_min_ms: lowestMs, requested },
      caused_by: causedBy,
    });
  for (const { number, timeMs, sentence, expected, node, series } of verdict?.reasons ?? [])
    add('reason', { number, time_ms: timeMs, sentence, expected, node: nameOf(node), series });
  for (const { node, series, count, min, mean, p50, p95, p99, max, last, maxMs } of reader.summaries())
    add('figure', {
      ...{ node: nameOf(node), series, unit: unitOf(series), count },
      ...{ min, mean, p50, p95, p99, max, last, max_ms: maxMs },
    });
}

const unitOf = (series: string): string => seriesDefinition(series)?.unit ?? '';

function addSamples(add: Add, reader: RunReader, nameOf: NameOf): void {
  const ids = new Map<string, number>();
  for (const { node, series } of reader.keys()) {
    ids.set(JSON.stringify([node, series]), ids.size + 1);
    const title = seriesDefinition(series)?.title ?? series;
    add('series', { id: ids.size, node: nameOf(node), series, title, unit: unitOf(series) });
  }
  for (const { keys, key, timeMs, value } of reader.minutes()) {
    const places = keys.map(({ node, series }) => ids.get(JSON.stringify([node, series])));
    for (const [i, place] of key.entries())
      add('sample_value', { series_id: places[place], time_ms: timeMs[i], value: value[i] });
  }
}

function addViewers(add: Add, reader: RunReader, nameOf: NameOf): void {
  for (let offset = 0; ; offset += viewersAtOnce) {
    const { total, viewers } = reader.viewers(offset, viewersAtOnce);
    for (const viewer of viewers) add('viewer', { ...viewerOf(viewer), tester: nameOf(viewer.tester) });
    if (offset + viewersAtOnce >= total) return;
  }
}

function viewerOf(row: ViewerRow): Readonly<Record<PlainColumn<'viewer'>, Value>> {
  const { tester, job, viewer, state, packets, bytes, lost, frames, stalls, freezeCount } = row;
  return {
    ...{ tester, job, viewer, state, packets, bytes, lost, frames, stalls },
    freeze_count: freezeCount,
    arrived_ms: row.arrivedMs,
    connect_ms: row.connectMs,
    first_frame_ms: row.firstFrameMs,
    loss_percent: row.lossPercent,
    jitter_ms: row.jitterMs,
    stalled_ms: row.stalledMs,
    freeze_duration_ms: row.freezeDurationMs,
    round_trip_ms: row.roundTripMs,
    delay_ms: row.delayMs,
    degraded_ms: row.degradedMs,
    degraded_reason: row.degradedReason,
    failure_stage: row.failure?.stage,
    failure_cause: row.failure?.cause,
  };
}
