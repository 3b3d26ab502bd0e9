import type { SeriesId } from '../../domain/series/series';
import type { Database } from './database';
import { levelFor, lowestLevel, lacksSamples, Overviews, startOfRow, stepFor, type OverviewLevel } from './overview';
import type { OverviewRow } from './overviewBlock';
import { runFormat } from './format/steps';
import { ensureTable } from './rows';
import { tables } from './tables';
import { joinReduced, Reducer, type ReducedColumn } from './reduce';
import type { Overview, OverviewColumn } from './types';

/** Samples that one call may unpack, about a quarter of a second's work: the caller continues from `nextMs`. */
const maxUnpacked = 1_500_000;

export interface OverviewQuestion {
  readonly fromMs: number;
  /** Excluded. */
  readonly toMs: number;
  /** Maximum of useful steps, such as the pixel columns of a chart. */
  readonly columns: number;
  /** All when absent. */
  readonly series?: ReadonlySet<SeriesId>;
}

/**
 * Reads an interval of a run in steps. `isFinal`: nothing more will be written, so that created overviews are stored in
 * the file.
 */
export function readOverview(database: Database, question: OverviewQuestion, isFinal: boolean): Overview {
  const { fromMs, toMs, columns: wantedColumns, series } = question;
  const stepMs = stepFor((toMs - fromMs) / wantedColumns);
  const overviews = new Overviews(database);
  const keys = new Map(overviews.series.map((entry) => [entry.id, entry]));
  const ids = series && new Set([...keys.values()].filter((key) => series.has(key.series)).map(({ id }) => id));
  const found = new Map<number, ReducedColumn>();
  let nextMs: number | null = null;
  let doneMs = fromMs;
  for (const sliceMs of overviews.rowsWithin(lowestLevel, fromMs, toMs)) {
    if (sliceMs + lowestLevel.rowMs <= doneMs) continue;
    if (overviews.unpacked > maxUnpacked) {
      nextMs = Math.max(fromMs, sliceMs);
      break;
    }
    const level = levelFor(stepMs);
    const row = level && wholeRow(overviews, level, startOfRow(sliceMs, level), ids);
    doneMs = row ? startOfRow(sliceMs, level) + level.rowMs : sliceMs + lowestLevel.rowMs;
    const read =
      row ??
      (level
        ? overviews.row(lowestLevel, sliceMs, ids)
        : overviews.fromSamples(Math.max(fromMs, sliceMs), Math.min(toMs, doneMs), stepMs, ids));
    for (const column of read.columns) {
      if (ids && !ids.has(column.seriesId)) continue;
      const within = trimmed(
        inSteps(column, stepMs, row ? level : level && lowestLevel, overviews.gapMs),
        fromMs,
        toMs,
      );
      const known = found.get(column.seriesId);
      if (known) joinReduced(known, within, overviews.gapMs);
      else if (within.timeMs.length > 0) found.set(column.seriesId, within);
    }
  }
  if (isFinal && overviews.hasMade) keep(database, overviews);
  const columns = [...found.values()].flatMap((column): OverviewColumn[] => {
    const key = keys.get(column.seriesId);
    return key ? [{ ...column, node: key.node, series: key.series }] : [];
  });
  return { stepMs, columns, nextMs };
}

/** A row of the level, when it costs no more than reading it, or the stored level below. */
function wholeRow(
  overviews: Overviews,
  level: OverviewLevel,
  fromMs: number,
  ids: ReadonlySet<number> | undefined,
): OverviewRow | undefined {
  const overview = overviews.find(level, fromMs, ids);
  if (overview || !overviews.isAtHand(level, fromMs)) return overview;
  return overviews.row(level, fromMs);
}

/** A column of a level in the requested steps. */
function inSteps(
  column: ReducedColumn,
  stepMs: number,
  level: OverviewLevel | undefined,
  gapMs: number,
): ReducedColumn {
  if (!level || level.stepMs >= stepMs) return column;
  const reducer = new Reducer(column.seriesId, stepMs, gapMs);
  reducer.addReduced(column);
  return reducer.finish();
}

function trimmed(column: ReducedColumn, fromMs: number, toMs: number): ReducedColumn {
  const { timeMs, value, breaks } = column;
  let start = 0;
  let end = timeMs.length;
  while (start < end && (timeMs[start] ?? 0) < fromMs) start += 1;
  while (end > start && (timeMs[end - 1] ?? 0) >= toMs) end -= 1;
  if (start === 0 && end === timeMs.length) return column;
  return {
    seriesId: column.seriesId,
    timeMs: timeMs.slice(start, end),
    value: value.slice(start, end),
    breaks: breaks.filter((place) => place > start && place < end).map((place) => place - start),
    firstMs: start === 0 ? column.firstMs : (timeMs[start] ?? NaN),
    lastMs: end === timeMs.length ? column.lastMs : (timeMs[end - 1] ?? NaN),
  };
}

function keep(database: Database, overviews: Overviews): void {
  // A file of an older format stays unchanged until the run is changed; a file that lacks samples must not be taken for
  // complete.
  if (database.format < runFormat || lacksSamples(database)) return;
  try {
    database.transaction(() => {
      ensureTable(database, tables.overview);
      overviews.keep();
    });
  } catch {
    // The file may be write-protected, or another process reads it: overviews are derived, and are created again the
    // next time.
  }
}
