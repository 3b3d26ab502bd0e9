import type { z } from 'zod';
import { FullhouseError } from '../../contract/calls';
import {
  stillMimes,
  type RunEvent,
  type RunId,
  type RunIntegrity,
  type RunView,
  type Still,
} from '../../domain/model/run';
import type { ViewerRow } from '../../contract/viewerSchemas';
import { inOrderOfTime } from '../../domain/run/eventOrder';
import type { SampleBatch, SeriesId } from '../../domain/series/series';
import { annotationEvents } from './annotations';
import { bytesAt, numberAt, textAt, type Database, type Row, type SqlValue } from './database';
import type { BlockColumn } from './block';
import { isTime, maxRows } from './bounds';
import { readFailure } from './failure';
import { savedViewerStates } from './format/unreleased';
import { savedEvent, savedViewer } from './format/rows';
import { damageEvents, integrityOf, type Scan } from './integrity';
import { readMeta, soundMeta } from './meta';
import { readOverview, type OverviewQuestion } from './overviewRead';
import { lacksSamples } from './overview';
import { noteDamaged, rowState, rowValues, selectRows } from './rows';
import { minutesWithin, readMinute, storedSeries, type StoredSeries } from './samples';
import { storeFigures, storedFigures, seriesSummaries } from './seriesFigures';
import { readHistograms } from './histograms';
import type {
  EngineInfo,
  HistogramQuestion,
  Overview,
  RunReader,
  SavedHistogram,
  SeriesSummary,
  SeriesValues,
} from './types';
import { fileExtension } from './id';
import { readable, tables, type Table } from './tables';
import { ValuesByName } from './values';

const everything = Number.MAX_SAFE_INTEGER;

/** Columns of a still without its data; see `stillSql`. */
function stillOf(row: Row): Still {
  const saved = textAt(row, 3);
  return {
    id: numberAt(row, 0),
    timeMs: numberAt(row, 1),
    cause: textAt(row, 2),
    mime: stillMimes.find((mime) => mime === saved) ?? 'image/jpeg',
    bytes: numberAt(row, 4),
  };
}

const stillSql = `SELECT ${tables.still.columns
  .map((column) => (column.name === 'data' ? 'octet_length(data)' : readable(column)))
  .join(', ')} FROM still ORDER BY time_ms LIMIT ${maxRows.still}`;

/** The check of every row of a file. */
interface Scans {
  /** Undefined while another process writes the file. */
  of(database: Database): Scan | undefined;
  /** It was made already, and the file has not changed since. */
  isKnown(): boolean;
}

export class RunFileReader implements RunReader {
  private readonly known = new ValuesByName();
  private scan: Scan | undefined;
  /** The connection that the scan was requested for. */
  private scanned: Database | undefined;

  /**
   * `connect` returns the connection to use at each call: that of the writer while the run is active in this process (a
   * second one would prevent the file from being closed properly), otherwise one of the reader. `scans` has the
   * check of a file that is not being written. `onClose` is called by `close`.
   */
  constructor(
    readonly id: RunId,
    private readonly connect: () => Database,
    private readonly scans: Scans | undefined,
    private readonly onClose: () => void,
  ) {}

  view(): RunView {
    return this.read((database) => {
      const view = { ...readMeta(database, 'view'), id: this.id, readOnly: true };
      const integrity = this.integrity();
      return integrity.state === 'verified' ? view : { ...view, integrity };
    });
  }

  engine(): EngineInfo {
    return this.read((database) => soundMeta(database, 'engine') ?? { version: 'unknown' });
  }

  integrity(): RunIntegrity {
    return this.read(() => (this.scan ? integrityOf(this.scan) : { state: 'verified', sentences: [] }));
  }

  events(): RunEvent[] {
    return this.read((database) => {
      const events = this.parsedRows(database, tables.event, savedEvent, 2, 'ORDER BY time_ms, id').filter(
        ({ timeMs }) => isTime(timeMs),
      );
      const others = [
        ...annotationEvents(database),
        ...(this.scan ? damageEvents(this.scan, readMeta(database, 'view').startedMs) : []),
      ];
      return others.length === 0 ? events : inOrderOfTime([...events, ...others]);
    });
  }

  stills(): Still[] {
    return this.read((database) =>
      database
        .rows(stillSql)
        .filter((row) => !database.damage.has('still', numberAt(row, 0)))
        .map(stillOf),
    );
  }

  stillData(id: number): { mime: Still['mime']; data: Uint8Array } {
    return this.read((database) => {
      const row = database.row(selectRows(database, tables.still, 'WHERE id = ?'), id);
      if (!row) throw new FullhouseError('no-still', `The run has no still ${id}.`);
      if (rowState(database, tables.still, row) === 'damaged')
        throw new FullhouseError('damaged-run', `The still ${id} of the run is damaged.`);
      return { mime: stillOf(row).mime, data: bytesAt(row, 4) };
    });
  }

  samples(fromMs: number, toMs: number, limit: number): { batch: SampleBatch; nextMs: number | null } {
    return this.read((database) => {
      const batch = new BatchBuilder(database);
      for (const minuteMs of minutesWithin(database, fromMs, toMs))
        for (const { column, place, timeMs } of inOrder(readMinute(database, minuteMs))) {
          if (timeMs < fromMs || timeMs >= toMs) continue;
          if (batch.length >= limit && timeMs !== batch.lastMs) return { batch: batch.built(), nextMs: timeMs };
          batch.add(timeMs, column.seriesId, column.value[place] ?? 0);
        }
      return { batch: batch.built(), nextMs: null };
    });
  }

  count(): number {
    return this.read((database) => {
      const packed = database
        .rows('SELECT minute_ms, CAST(samples AS INTEGER) FROM block LIMIT ?', maxRows.block)
        .filter((row) => !database.damage.has('block', numberAt(row, 0)))
        .reduce((sum, row) => sum + numberAt(row, 1), 0);
      const waiting = database.row('SELECT count(*) FROM sample');
      return packed + numberAt(waiting ?? [0], 0) - database.damage.count('sample');
    });
  }

  keys(): SampleBatch['keys'] {
    return this.read((database) => storedSeries(database).map(({ node, series }) => ({ node, series })));
  }

  *minutes(): Generator<SampleBatch> {
    for (const minuteMs of this.read((database) => minutesWithin(database, 0, everything)))
      yield this.read((database) => {
        const batch = new BatchBuilder(database);
        for (const { column, place, timeMs } of inOrder(readMinute(database, minuteMs)))
          batch.add(timeMs, column.seriesId, column.value[place] ?? 0);
        return batch.built();
      });
  }

  overview(fromMs: number, toMs: number, columns: number, series?: ReadonlySet<SeriesId>): Overview {
    const question = { fromMs, toMs, columns, series };
    return (
      this.watchedOverview(question) ??
      this.read((database) => readOverview(database, question, readMeta(database, 'view').state === 'ended'))
    );
  }

  /**
   * Of watched data without the check of all of its rows: a day has 150 MB, of which a range needs a few, and each row is
   * checked when it is read. Undefined for other runs, where the check is known, and where something is damaged: the check
   * finds out what can be read.
   */
  private watchedOverview(question: OverviewQuestion): Overview | undefined {
    try {
      const database = this.connect();
      if (
        this.scans?.isKnown() === true ||
        this.scanned === database ||
        readMeta(database, 'view').watched === undefined
      )
        return undefined;
      const overview = readOverview(database, question, false);
      return lacksSamples(database) ? undefined : overview;
    } catch {
      return undefined;
    }
  }

  histograms(question: HistogramQuestion): readonly SavedHistogram[] {
    return this.read((database) => readHistograms(database, question));
  }

  prepare(series: readonly SeriesId[]): void {
    this.read((database) => this.known.prepare(database, series));
  }

  values(node: string, series: SeriesId, fromMs = 0, toMs = everything): SeriesValues {
    const all = this.read((database) => this.known.of(database, node, series));
    const start = firstFrom(all.timeMs, fromMs);
    const end = firstFrom(all.timeMs, toMs);
    if (start === 0 && end === all.timeMs.length) return all;
    return { timeMs: all.timeMs.slice(start, end), value: all.value.slice(start, end) };
  }

  summaries(fromMs = 0, toMs = everything): SeriesSummary[] {
    return this.read((database) => {
      const isWhole = fromMs === 0 && toMs === everything;
      const isFinal = isWhole && readMeta(database, 'view').state === 'ended';
      const known = isFinal ? storedFigures(database) : undefined;
      if (known) return known;
      const summaries = seriesSummaries(database, fromMs, toMs);
      if (isFinal) storeFigures(database, summaries);
      return summaries;
    });
  }

  viewers(offset: number, limit: number, state?: ViewerRow['state']): { total: number; viewers: ViewerRow[] } {
    return this.read((database) => {
      const states = state === undefined ? [] : savedViewerStates(state);
      const where = state === undefined ? '' : `WHERE state IN (${states.map(() => '?').join()})`;
      const total = database.row(`SELECT count(*) FROM viewer ${where}`, ...states);
      const tail = `${where} ORDER BY tester, job, viewer LIMIT ? OFFSET ?`;
      const viewers = this.parsedRows(database, tables.viewer, savedViewer, 4, tail, ...states, limit, offset);
      const remaining = Math.max(0, numberAt(total ?? [0], 0) - database.damage.count('viewer'));
      return { total: Math.max(remaining, viewers.length), viewers };
    });
  }

  close(): void {
    this.onClose();
  }

  /** Rows with JSON in a column; invalid ones are left out and noted. */
  private parsedRows<T>(
    database: Database,
    table: Table,
    schema: z.ZodType<T>,
    column: number,
    tail: string,
    ...values: SqlValue[]
  ): T[] {
    return database.rows(selectRows(database, table, tail), ...values).flatMap((row) => {
      if (rowState(database, table, row) === 'damaged') return [];
      try {
        return [schema.parse(JSON.parse(String(rowValues(database, table, row)[column])))];
      } catch {
        noteDamaged(database, table, row);
        return [];
      }
    });
  }

  /** Reads from the connection, with the results of the scan of its file; every failure becomes a sentence. */
  private read<T>(use: (database: Database) => T): T {
    try {
      const database = this.connect();
      if (this.scanned !== database) {
        this.scanned = database;
        this.scan = this.scans?.of(database);
        if (this.scan) database.damage.addAll(this.scan.damage);
      }
      return use(database);
    } catch (error) {
      throw readFailure(error, `${this.id}${fileExtension}`);
    }
  }
}

/** Index of the first time that is not before `timeMs`. */
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

/** The samples of some columns in order of time; those with the same timestamp by the id of their series. */
function* inOrder(columns: readonly BlockColumn[]): Generator<Place> {
  const sorted = [...columns].sort((a, b) => a.seriesId - b.seriesId);
  // A node's series share their timestamps: timestamps are sorted, not samples.
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

  private readonly series: ReadonlyMap<number, StoredSeries>;

  constructor(private readonly database: Database) {
    this.series = new Map(storedSeries(database).map((stored) => [stored.id, stored]));
  }

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
      if (!stored) {
        // Its row is damaged or missing, as reported by the scan.
        this.database.damage.add('series', seriesId);
        return;
      }
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
