import type { z } from 'zod';
import { runEvent, viewerRow } from '../../contract/schemas';
import { FullhouseError } from '../../contract/calls';
import type { RunEvent, RunId, RunView, Still, ViewerRow } from '../../domain/run';
import type { SampleBatch, SeriesId } from '../../domain/series';
import { annotationEvents } from './annotations';
import { bytesAt, numberAt, textAt, type Database, type Row } from './database';
import type { BlockColumn } from './block';
import { readMeta } from './meta';
import { readOverview } from './overviewRead';
import { minutesWithin, readMinute, storedSeries, type StoredSeries } from './samples';
import { keepFigures, keptFigures, seriesSummaries } from './seriesFigures';
import type { EngineInfo, Overview, RunReader, SeriesSummary, SeriesValues } from './types';
import { ValuesByName } from './values';

const everything = Number.MAX_SAFE_INTEGER;

function stillOf(row: Row): Still {
  const mime = textAt(row, 3) === 'image/png' ? 'image/png' : 'image/jpeg';
  return {
    id: numberAt(row, 0),
    timeMs: numberAt(row, 1),
    cause: textAt(row, 2),
    mime,
    bytes: numberAt(row, 4),
  };
}

/** A value kept as JSON in the first column. */
function parsed<T>(schema: z.ZodType<T>, row: Row): T {
  try {
    return schema.parse(JSON.parse(textAt(row, 0)));
  } catch (error) {
    throw new FullhouseError('damaged-run', 'A row of the run file is not as it should be.', {
      cause: error,
    });
  }
}

export class RunFileReader implements RunReader {
  private readonly known = new ValuesByName();

  /**
   * `connect` gives the connection to use at each call: that of the writer while the run is under way in this process (a second one would
   * keep the file from being closed properly), one of the reader's own otherwise. `onClose` hears of `close`.
   */
  constructor(
    readonly id: RunId,
    private readonly connect: () => Database,
    private readonly onClose: () => void,
  ) {}

  view(): RunView {
    return { ...readMeta(this.connect(), 'view'), id: this.id, readOnly: true };
  }

  engine(): EngineInfo {
    return readMeta(this.connect(), 'engine');
  }

  events(): RunEvent[] {
    const rows = this.connect().rows('SELECT value FROM event ORDER BY time_ms, id');
    const events = rows.map((row) => parsed(runEvent, row));
    const notes = annotationEvents(this.connect());
    return notes.length === 0
      ? events
      : [...events, ...notes].sort((a, b) => a.timeMs - b.timeMs || a.id - b.id);
  }

  stills(): Still[] {
    const rows = this.connect().rows(
      'SELECT id, time_ms, cause, mime, length(data) FROM still ORDER BY time_ms',
    );
    return rows.map(stillOf);
  }

  stillData(id: number): { mime: Still['mime']; data: Uint8Array } {
    const sql = 'SELECT id, time_ms, cause, mime, length(data), data FROM still WHERE id = ?';
    const row = this.connect().row(sql, id);
    if (!row) throw new FullhouseError('no-still', `The run has no still ${id}.`);
    return { mime: stillOf(row).mime, data: bytesAt(row, 5) };
  }

  samples(fromMs: number, toMs: number, limit: number): { batch: SampleBatch; nextMs: number | null } {
    const database = this.connect();
    const series = new Map(storedSeries(database).map((stored) => [stored.id, stored]));
    const batch = new BatchBuilder(series);
    for (const minuteMs of minutesWithin(database, fromMs, toMs))
      for (const { column, place, timeMs } of inOrder(readMinute(database, minuteMs))) {
        if (timeMs < fromMs || timeMs >= toMs) continue;
        if (batch.length >= limit && timeMs !== batch.lastMs) return { batch: batch.built(), nextMs: timeMs };
        batch.add(timeMs, column.seriesId, column.value[place] ?? 0);
      }
    return { batch: batch.built(), nextMs: null };
  }

  count(): number {
    const packed = this.connect().row('SELECT coalesce(sum(samples), 0) FROM block');
    const waiting = this.connect().row('SELECT count(*) FROM sample');
    return numberAt(packed ?? [0], 0) + numberAt(waiting ?? [0], 0);
  }

  keys(): SampleBatch['keys'] {
    return storedSeries(this.connect()).map(({ node, series }) => ({ node, series }));
  }

  *minutes(): Generator<SampleBatch> {
    const database = this.connect();
    const series = new Map(storedSeries(database).map((stored) => [stored.id, stored]));
    for (const minuteMs of minutesWithin(database, 0, everything)) {
      const batch = new BatchBuilder(series);
      for (const { column, place, timeMs } of inOrder(readMinute(this.connect(), minuteMs)))
        batch.add(timeMs, column.seriesId, column.value[place] ?? 0);
      yield batch.built();
    }
  }

  overview(fromMs: number, toMs: number, columns: number, series?: ReadonlySet<SeriesId>): Overview {
    const database = this.connect();
    const isFinal = readMeta(database, 'view').state === 'ended';
    return readOverview(database, { fromMs, toMs, columns, series }, isFinal);
  }

  prepare(series: readonly SeriesId[]): void {
    this.known.prepare(this.connect(), series);
  }

  values(node: string, series: SeriesId, fromMs = 0, toMs = everything): SeriesValues {
    const all = this.known.of(this.connect(), node, series);
    const start = firstFrom(all.timeMs, fromMs);
    const end = firstFrom(all.timeMs, toMs);
    if (start === 0 && end === all.timeMs.length) return all;
    return { timeMs: all.timeMs.slice(start, end), value: all.value.slice(start, end) };
  }

  summaries(fromMs = 0, toMs = everything): SeriesSummary[] {
    const database = this.connect();
    const isWhole = fromMs === 0 && toMs === everything;
    const isFinal = isWhole && readMeta(database, 'view').state === 'ended';
    const known = isFinal ? keptFigures(database) : undefined;
    if (known) return known;
    const summaries = seriesSummaries(database, fromMs, toMs);
    if (isFinal) keepFigures(database, summaries);
    return summaries;
  }

  viewers(
    offset: number,
    limit: number,
    state?: ViewerRow['state'],
  ): { total: number; viewers: ViewerRow[] } {
    const database = this.connect();
    const where = state === undefined ? '' : 'WHERE state = ?';
    const wanted = state === undefined ? [] : [state];
    const total = database.row(`SELECT count(*) FROM viewer ${where}`, ...wanted);
    const rows = database.rows(
      `SELECT value FROM viewer ${where} ORDER BY tester, job, viewer LIMIT ? OFFSET ?`,
      ...wanted,
      limit,
      offset,
    );
    return {
      total: total ? numberAt(total, 0) : 0,
      viewers: rows.map((row) => parsed(viewerRow, row)),
    };
  }

  close(): void {
    this.onClose();
  }
}

/** Place of the first time that is not before `timeMs`. */
function firstFrom(times: readonly number[], timeMs: number): number {
  if (timeMs <= (times[0] ?? Infinity)) return 0;
  if (timeMs > (times.at(-1) ?? -Infinity)) return times.length;
  return times.findIndex((time) => time >= timeMs);
}

interface Place {
  readonly column: BlockColumn;
  readonly place: number;
  readonly timeMs: number;
}

/** The samples of some columns in order of time: those of the same moment by the number of their series. */
function* inOrder(columns: readonly BlockColumn[]): Generator<Place> {
  const sorted = [...columns].sort((a, b) => a.seriesId - b.seriesId);
  // A node's series share their moments: it is moments that are put in order, not samples.
  const moments = new Map<number, Place[]>();
  for (const column of sorted)
    for (const [place, timeMs] of column.timeMs.entries()) {
      const known = moments.get(timeMs);
      if (known) known.push({ column, place, timeMs });
      else moments.set(timeMs, [{ column, place, timeMs }]);
    }
  for (const timeMs of Float64Array.from(moments.keys()).sort()) yield* moments.get(timeMs) ?? [];
}

/** Collects samples column by column, with only the keys that occur. */
class BatchBuilder {
  private readonly keys: Array<{ node: string; series: SeriesId }> = [];
  private readonly places = new Map<number, number>();
  private readonly key: number[] = [];
  private readonly timeMs: number[] = [];
  private readonly value: number[] = [];

  constructor(private readonly series: ReadonlyMap<number, StoredSeries>) {}

  get length(): number {
    return this.key.length;
  }

  get lastMs(): number | undefined {
    return this.timeMs.at(-1);
  }

  add(timeMs: number, seriesId: number, value: number): void {
    let place = this.places.get(seriesId);
    if (place === undefined) {
      const stored = this.series.get(seriesId);
      if (!stored)
        throw new FullhouseError('damaged-run', `The run holds samples of an unnamed series ${seriesId}.`);
      place = this.keys.push({ node: stored.node, series: stored.series }) - 1;
      this.places.set(seriesId, place);
    }
    this.key.push(place);
    this.timeMs.push(timeMs);
    this.value.push(value);
  }

  built(): SampleBatch {
    return { keys: this.keys, key: this.key, timeMs: this.timeMs, value: this.value };
  }
}
