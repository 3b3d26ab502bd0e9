import type { z } from 'zod';
import { runEvent, viewerRow } from '../../contract/schemas';
import { FullhouseError } from '../../contract/calls';
import type { RunEvent, RunId, RunView, Still, ViewerRow } from '../../domain/run';
import type { SampleBatch, SeriesId } from '../../domain/series';
import { annotationEvents } from './annotations';
import { bytesAt, numberAt, textAt, type Database, type Row } from './database';
import { readMeta } from './meta';
import { minutesWithin, readMinute, storedSeries, type StoredSeries } from './samples';
import { SeriesFigures } from './seriesFigures';
import type { EngineInfo, RunReader, SeriesSummary, SeriesValues } from './types';

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
    for (const minuteMs of minutesWithin(database, fromMs, toMs)) {
      const rows = readMinute(database, minuteMs).flatMap((column) =>
        column.timeMs.map((timeMs, i) => ({
          timeMs,
          seriesId: column.seriesId,
          value: column.value[i] ?? 0,
        })),
      );
      rows.sort((a, b) => a.timeMs - b.timeMs || a.seriesId - b.seriesId);
      for (const row of rows) {
        if (row.timeMs < fromMs || row.timeMs >= toMs) continue;
        if (batch.length >= limit && row.timeMs !== batch.lastMs)
          return { batch: batch.built(), nextMs: row.timeMs };
        batch.add(row.timeMs, row.seriesId, row.value);
      }
    }
    return { batch: batch.built(), nextMs: null };
  }

  values(node: string, series: SeriesId, fromMs = 0, toMs = everything): SeriesValues {
    const database = this.connect();
    const stored = storedSeries(database).find((each) => each.node === node && each.series === series);
    const found = { timeMs: [] as number[], value: [] as number[] };
    if (!stored) return found;
    const wanted = new Set([stored.id]);
    for (const minuteMs of minutesWithin(database, fromMs, toMs))
      for (const column of readMinute(database, minuteMs, wanted))
        column.timeMs.forEach((timeMs, i) => {
          if (timeMs < fromMs || timeMs >= toMs) return;
          found.timeMs.push(timeMs);
          found.value.push(column.value[i] ?? 0);
        });
    return found;
  }

  summaries(fromMs = 0, toMs = everything): SeriesSummary[] {
    const database = this.connect();
    const figures = new Map(storedSeries(database).map((stored) => [stored.id, new SeriesFigures(stored)]));
    for (const minuteMs of minutesWithin(database, fromMs, toMs))
      for (const column of readMinute(database, minuteMs))
        figures.get(column.seriesId)?.add(column, fromMs, toMs);
    return [...figures.values()].map((each) => each.summary()).filter((each) => each !== undefined);
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
