import type { BlockColumn } from './block';
import { sumSeries, withCombined, withSources } from './combined';
import { bytesAt, numberAt, type Database } from './database';
import { soundMeta } from './meta';
import { decodeOverview, encodeOverview, type LastValue, type OverviewRow } from './overviewBlock';
import { gapSteps, usualStepMs } from '../../domain/series/gap';
import { stepOf } from '../../domain/model/withoutLoad';
import { Reducer, type ReducedColumn } from './reduce';
import { packHistograms } from './histograms';
import { ensureTable, hasTable, insertRow, rowState, selectRows } from './rows';
import { minutesWithin, packMinutes, readMinute, storedSeries, type StoredSeries } from './samples';
import { tables } from './tables';

/**
 * Overviews of a run, each six to ten times as coarse as the one before: of each step the lowest and the highest
 * sample. They are derived: a missing row (active run, file of an older Fullhouse) is created from the level below.
 */
export interface OverviewLevel {
  readonly stepMs: number;
  /** Time covered by one row of the file. */
  readonly rowMs: number;
}

const levels: readonly [OverviewLevel, ...OverviewLevel[]] = [
  { stepMs: 10_000, rowMs: 600_000 },
  { stepMs: 60_000, rowMs: 7_200_000 },
  { stepMs: 600_000, rowMs: 86_400_000 },
];
/** Created from samples; rows of every level end where one of its rows ends. */
export const lowestLevel = levels[0];

/** Supported steps, in s: all of them end where a row ends, so that no step spans two. 0 is every sample. */
const steps = [0, 2, 3, 4, 5, 6, 10, 20, 30, 60, 120, 180, 300, 600, 1200, 1800, 3600, 7200];

/** The longest step that is not longer than a pixel column. */
export function stepFor(columnMs: number): number {
  return 1000 * Math.max(...steps.filter((step) => step * 1000 <= columnMs));
}

/** The coarsest overview from which such steps can be computed; undefined: the samples themselves. */
export function levelFor(stepMs: number): OverviewLevel | undefined {
  return levels.filter((level) => stepMs > 0 && stepMs % level.stepMs === 0).at(-1);
}

export function startOfRow(timeMs: number, { rowMs }: OverviewLevel): number {
  return Math.floor(timeMs / rowMs) * rowMs;
}

/** Reads overviews of one file, and creates missing ones. */
export class Overviews {
  readonly series: readonly StoredSeries[];
  /** Samples unpacked so far: the cost of a call. */
  unpacked = 0;
  /** Rows that were created, to be stored by `keep`. */
  private made: Array<{ level: OverviewLevel; fromMs: number; row: OverviewRow }> = [];
  private readonly stored: StoredSeries[];
  private readonly isThere: boolean;
  /** A longer interval without samples is a gap. */
  readonly gapMs: number;

  constructor(private readonly database: Database) {
    this.stored = storedSeries(database);
    this.series = [...this.stored, ...sumSeries(this.stored)];
    // What was created before a part of the samples was damaged contains more than exists now.
    this.isThere = hasTable(database, tables.overview) && !lacksSamples(database);
    this.gapMs = gapSteps * (stepOf(soundMeta(database, 'view') ?? {}) ?? usualStepMs);
  }

  /** A row of a level, with all of its series or only the requested ones. */
  row(level: OverviewLevel, fromMs: number, ids?: ReadonlySet<number>): OverviewRow {
    const overview = this.find(level, fromMs, ids);
    if (overview) return overview;
    const below = levels[levels.indexOf(level) - 1];
    const row = below
      ? this.fromRows(level, below, fromMs)
      : this.fromSamples(fromMs, fromMs + level.rowMs, level.stepMs, undefined);
    this.made.push({ level, fromMs, row });
    return row;
  }

  /** Samples of an interval in steps; with step 0 as measured, without sums. */
  fromSamples(fromMs: number, toMs: number, stepMs: number, ids: ReadonlySet<number> | undefined): OverviewRow {
    const sources = ids && stepMs > 0 ? withSources(ids, this.stored) : ids;
    const joined = new Map<number, BlockColumn>();
    for (const minuteMs of minutesWithin(this.database, fromMs, toMs))
      for (const column of readMinute(this.database, minuteMs, sources)) {
        this.unpacked += column.timeMs.length;
        const known = joined.get(column.seriesId);
        if (!known) joined.set(column.seriesId, column);
        else
          column.timeMs.forEach((timeMs, i) => {
            known.timeMs.push(timeMs);
            known.value.push(column.value[i] ?? 0);
          });
      }
    const heard = new Map<number, LastValue>(stepMs > 0 ? this.heardBefore(fromMs) : []);
    const all = stepMs > 0 ? withCombined([...joined.values()], this.stored, heard, this.gapMs) : joined.values();
    const columns: ReducedColumn[] = [];
    for (const column of all) {
      if (column.timeMs.length === 0 || (ids && !ids.has(column.seriesId))) continue;
      const reducer = new Reducer(column.seriesId, stepMs, this.gapMs);
      reducer.addAll(column);
      columns.push(reducer.finish());
    }
    return { columns, heard };
  }

  /** Writes the created rows, inside the caller's transaction. No more samples may follow in their time. */
  keep(): void {
    for (const { level, fromMs, row } of this.made)
      insertRow(
        this.database,
        tables.overview,
        [level.stepMs, fromMs, encodeOverview(fromMs, row)],
        'INSERT OR REPLACE',
      );
    this.made = [];
  }

  get hasMade(): boolean {
    return this.made.length > 0;
  }

  /** A row as stored in the file, or created before; undefined when it would have to be created. */
  find(level: OverviewLevel, fromMs: number, ids?: ReadonlySet<number>): OverviewRow | undefined {
    const made = this.made.find((overview) => overview.level === level && overview.fromMs === fromMs);
    if (made) return made.row;
    if (!this.isThere) return undefined;
    const sql = selectRows(this.database, tables.overview, 'WHERE step_ms = ? AND from_ms = ?');
    const row = this.database.row(sql, level.stepMs, fromMs);
    if (!row || rowState(this.database, tables.overview, row) === 'damaged') return undefined;
    try {
      return decodeOverview(fromMs, level.rowMs, bytesAt(row, 2), ids);
    } catch {
      // It is created again from the samples.
      return undefined;
    }
  }

  private fromRows(level: OverviewLevel, below: OverviewLevel, fromMs: number): OverviewRow {
    const reducers = new Map<number, Reducer>();
    let heard: OverviewRow['heard'] = new Map();
    for (const each of this.rowsWithin(below, fromMs, fromMs + level.rowMs)) {
      const row = this.row(below, each);
      heard = row.heard;
      for (const column of row.columns) {
        const reducer = reducers.get(column.seriesId) ?? new Reducer(column.seriesId, level.stepMs, this.gapMs);
        reducers.set(column.seriesId, reducer);
        reducer.addReduced(column);
      }
    }
    return { columns: [...reducers.values()].map((reducer) => reducer.finish()), heard };
  }

  /** Whether a row can be created from the stored level below, without unpacking samples. */
  isAtHand(level: OverviewLevel, fromMs: number): boolean {
    if (!this.isThere || level === lowestLevel) return false;
    const below = this.database.row(
      'SELECT count(*) FROM overview WHERE step_ms = ? AND from_ms >= ? AND from_ms < ?',
      lowestLevel.stepMs,
      fromMs,
      fromMs + level.rowMs,
    );
    const rows = this.rowsWithin(lowestLevel, fromMs, fromMs + level.rowMs).length;
    return below !== undefined && numberAt(below, 0) === rows;
  }

  /** Starts of the rows that are not empty. */
  rowsWithin(level: OverviewLevel, fromMs: number, toMs: number): number[] {
    const starts = new Set(minutesWithin(this.database, fromMs, toMs).map((minute) => startOfRow(minute, level)));
    return [...starts];
  }

  /** The latest values of the summed series in the previous row. */
  private heardBefore(fromMs: number): OverviewRow['heard'] {
    const before = startOfRow(fromMs - 1, lowestLevel);
    return this.find(lowestLevel, before, new Set())?.heard ?? new Map<number, LastValue>();
  }
}

/** Whether samples of the run are excluded, of a minute or of a series. */
export function lacksSamples({ damage }: Database): boolean {
  return damage.count('block') + damage.count('series') + damage.count('sample') > 0;
}

/**
 * Packs every minute that ended before `beforeMs`, and stores the overviews that this completes. Runs inside the
 * caller's transaction.
 */
export function packWithOverviews(database: Database, beforeMs: number): void {
  packHistograms(database, beforeMs);
  const packed = packMinutes(database, beforeMs);
  const isFirst = !hasTable(database, tables.overview);
  if (packed.length === 0 && !isFirst) return;
  ensureTable(database, tables.overview);
  // A minute that is packed again received late samples.
  for (const minuteMs of packed)
    for (const level of levels)
      database.run('DELETE FROM overview WHERE step_ms = ? AND from_ms = ?', level.stepMs, startOfRow(minuteMs, level));
  keepOverviews(database, beforeMs);
}

/** Stores the overviews of packed minutes that are complete before `beforeMs`. */
export function keepOverviews(database: Database, beforeMs: number): void {
  for (const level of levels) keepLevel(database, level, beforeMs);
}

function keepLevel(database: Database, level: OverviewLevel, beforeMs: number): void {
  const saved = new Set(
    database.rows('SELECT from_ms FROM overview WHERE step_ms = ?', level.stepMs).map((row) => numberAt(row, 0)),
  );
  const overviews = new Overviews(database);
  for (const fromMs of overviews.rowsWithin(level, 0, beforeMs)) {
    if (saved.has(fromMs) || fromMs + level.rowMs > beforeMs) continue;
    overviews.row(level, fromMs);
    overviews.keep();
  }
}
