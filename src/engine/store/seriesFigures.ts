import { figuresOf } from '../../domain/charts/seriesTable';
import type { BlockColumn } from './block';
import type { Database } from './database';
import { savedFigures } from './format/rows';
import { runFormat } from './format/steps';
import { lacksSamples } from './overview';
import { ensureTable, hasTable, insertRow, rowState, rowValues, selectRows } from './rows';
import { minutesWithin, readMinute, storedSeries, type StoredSeries } from './samples';
import { tables } from './tables';
import type { SeriesSummary } from './types';

/** Figures of every series over an interval, `toMs` excluded. Reads every sample of it. */
export function seriesSummaries(database: Database, fromMs: number, toMs: number): SeriesSummary[] {
  const figures = new Map(storedSeries(database).map((stored) => [stored.id, new SeriesFigures(stored)]));
  for (const minuteMs of minutesWithin(database, fromMs, toMs))
    for (const column of readMinute(database, minuteMs)) figures.get(column.seriesId)?.add(column, fromMs, toMs);
  return [...figures.values()].map((figure) => figure.summary()).filter((summary) => summary !== undefined);
}

/** The stored figures of an entire run; undefined if missing or invalid. */
export function storedFigures(database: Database): SeriesSummary[] | undefined {
  if (!hasTable(database, tables.figures) || lacksSamples(database)) return undefined;
  const row = database.row(selectRows(database, tables.figures));
  if (!row || rowState(database, tables.figures, row) === 'damaged') return undefined;
  try {
    return savedFigures.parse(JSON.parse(String(rowValues(database, tables.figures, row)[0])));
  } catch {
    return undefined;
  }
}

/** Stores them in the file of an ended run, so that the next report need not read every sample. */
export function storeFigures(database: Database, figures: readonly SeriesSummary[]): void {
  if (database.format < runFormat || lacksSamples(database)) return;
  try {
    database.transaction(() => {
      ensureTable(database, tables.figures);
      database.run('DELETE FROM figures');
      insertRow(database, tables.figures, [JSON.stringify(figures)]);
    });
  } catch {
    // The file may be write-protected, or in use: the figures are derived, and are computed again.
  }
}

/**
 * Collects one series, minute by minute in order, for its figures. Percentiles need every value: 8 bytes each
 * meanwhile.
 */
class SeriesFigures {
  private values = new Float64Array(256);
  private count = 0;
  private firstMs = 0;
  private lastMs = 0;
  private max = -Infinity;
  private maxMs = 0;

  constructor(private readonly stored: StoredSeries) {}

  /** Adds the samples from `fromMs` to `toMs` (excluded). */
  add(column: BlockColumn, fromMs: number, toMs: number): void {
    column.timeMs.forEach((timeMs, i) => {
      const value = column.value[i];
      if (value === undefined || timeMs < fromMs || timeMs >= toMs) return;
      if (this.count === 0) this.firstMs = timeMs;
      this.lastMs = timeMs;
      if (value > this.max) {
        this.max = value;
        this.maxMs = timeMs;
      }
      this.push(value);
    });
  }

  /** Undefined without samples. */
  summary(): SeriesSummary | undefined {
    const figures = figuresOf(this.values.subarray(0, this.count));
    return (
      figures && {
        node: this.stored.node,
        series: this.stored.series,
        firstMs: this.firstMs,
        lastMs: this.lastMs,
        maxMs: this.maxMs,
        ...figures,
      }
    );
  }

  private push(value: number): void {
    if (this.count === this.values.length) {
      const grown = new Float64Array(this.values.length * 2);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.count] = value;
    this.count += 1;
  }
}
