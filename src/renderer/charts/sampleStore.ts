import type { SampleBatch, SeriesId } from '../../domain/series/series';
import type { MeasuredSeries } from '../../domain/charts/layout/autoCharts';
import { allTestersId } from '../../domain/series/aggregate';
import type { OverviewBatch } from '../../contract/schemas';
import type { SampleSource } from '../../domain/charts/drawing/samples';
import { usualStepMs } from '../../domain/series/gap';
import { Column } from './column';
import { Details, seriesOf, type Detail, type DetailRange } from './detailCache';

export interface LatestSample {
  readonly timeMs: number;
  readonly value: number;
}

interface KeyedColumn {
  readonly node: string;
  readonly series: SeriesId;
  readonly column: Column;
}

export interface SampleStoreOptions {
  /** Which series to keep in the window; all if absent. */
  readonly wants?: (series: SeriesId) => boolean;
  /**
   * Max samples per node and series: 4 hours at 1 Hz if absent, an hour for a single core, of which a machine may have
   * hundreds. Older ones are dropped here; the run file keeps them.
   */
  readonly capacity?: number;
  /** Interval between two samples of a series: a second if absent. Several missing ones are a gap. */
  readonly stepMs?: number;
}

/**
 * Samples of a run in the window. Batches may overlap and arrive in any order: the history of a run and its live
 * samples use the same call. Nothing in here is reactive; the charts read it on their own clock.
 */
export class SampleStore implements SampleSource {
  /** Counts the batches with new samples. */
  version = 0;
  /** Counts changes of `measured`: a new series, or its first value above 0. */
  measuredVersion = 0;
  firstTimeMs: number | undefined;
  lastTimeMs: number | undefined;
  readonly #columns = new Map<string, KeyedColumn>();
  readonly #details = new Details();
  readonly #listeners = new Set<() => void>();
  readonly #wants: (series: SeriesId) => boolean;
  readonly #capacity: number | undefined;
  readonly stepMs: number;

  constructor({ wants, capacity, stepMs = usualStepMs }: SampleStoreOptions = {}) {
    this.#wants = wants ?? (() => true);
    this.#capacity = capacity;
    this.stepMs = stepMs;
  }

  /** Adds the samples of a batch. Duplicate times are ignored. */
  append(batch: SampleBatch): void {
    const columns = batch.keys.map(({ node, series }) => (this.#wants(series) ? this.#make(node, series) : undefined));
    const details = this.#details.growing;
    const growing = batch.keys.map(({ node, series }) =>
      details.flatMap(({ columns: of }) => of.get(keyOf(node, series)) ?? []),
    );
    for (let row = 0; row < batch.key.length; row += 1) {
      const timeMs = batch.timeMs[row];
      const value = batch.value[row];
      if (timeMs === undefined || value === undefined) continue;
      const column = columns[batch.key[row] ?? -1];
      if (column && (column.length === 0 || (value > 0 && column.highest <= 0))) this.measuredVersion += 1;
      column?.add(timeMs, value);
      for (const grown of growing[batch.key[row] ?? -1] ?? []) grown.add(timeMs, value);
      if (this.firstTimeMs === undefined || timeMs < this.firstTimeMs) this.firstTimeMs = timeMs;
      if (this.lastTimeMs === undefined || timeMs > this.lastTimeMs) this.lastTimeMs = timeMs;
    }
    for (const column of [...columns, ...growing.flat()]) column?.settle();
    this.#changed();
  }

  /**
   * Replaces everything before `untilMs` by an overview, possibly in several parts. Infinity: of a finished run.
   */
  setOverview(overviews: readonly OverviewBatch[], untilMs: number): void {
    for (const { node, series, points } of seriesOf(overviews)) {
      if (!this.#wants(series)) continue;
      this.#make(node, series).replaceBefore(untilMs, points);
      const firstMs = points.timesMs[0];
      const lastMs = points.timesMs.at(-1);
      if (firstMs !== undefined) this.firstTimeMs = Math.min(this.firstTimeMs ?? Infinity, firstMs);
      if (lastMs !== undefined) this.lastTimeMs = Math.max(this.lastTimeMs ?? -Infinity, lastMs);
    }
    this.measuredVersion += 1;
    this.#changed();
  }

  /** Every series of every node with samples, and its maximum. */
  measured(): readonly MeasuredSeries[] {
    return [...this.#columns.values()]
      .filter(({ column, node }) => column.length > 0 && node !== allTestersId)
      .map(({ node, series, column }) => ({ node, series, max: column.highest }));
  }

  /** Stores a range in more detail, and drops details not used recently. */
  addDetail(detail: Detail): void {
    if (detail.toMs === Infinity)
      for (const [key, column] of detail.columns) {
        // What was measured while it was read.
        const known = this.#columns.get(key)?.column;
        if (!known) continue;
        for (let at = known.indexAt(detail.readToMs - 1) + 1; at < known.length; at += 1)
          column.add(known.timeAt(at), known.valueAt(at));
      }
    this.#details.add(detail);
    this.#changed();
  }

  /** The finest data of a range: a detail that covers it, else that of the entire run. */
  columnFor(node: string, series: SeriesId, fromMs: number, toMs: number): Column | undefined {
    return this.#details.column(node, series, fromMs, toMs) ?? this.column(node, series);
  }

  /** Whether a range was asked for in this detail, see `Details.has`. */
  hasDetail(series: readonly SeriesId[], range: DetailRange, maxGrownMs: number): boolean {
    return this.#details.has(series, range, maxGrownMs);
  }

  /** Nothing before this time exists any more. */
  startsAt(timeMs: number): void {
    this.firstTimeMs = timeMs;
  }

  /** Step length of some series in a range; 0: every sample is present. */
  coarseMs(series: readonly SeriesId[], fromMs: number, toMs: number): number {
    const detail = this.#details.find(series, fromMs, toMs);
    if (detail) return detail.stepMs;
    let coarse = 0;
    for (const { column } of this.#columns.values())
      if (column.sparseBeforeMs > fromMs) coarse = Math.max(coarse, column.coarseMs);
    return coarse;
  }

  /** From when on every sample is present; Infinity if unknown. */
  get sparseBeforeMs(): number {
    let beforeMs = -Infinity;
    for (const { column } of this.#columns.values()) beforeMs = Math.max(beforeMs, column.sparseBeforeMs);
    return beforeMs;
  }

  /** Older samples of some series were dropped. */
  get hasDropped(): boolean {
    for (const { column } of this.#columns.values()) if (column.droppedBeforeMs !== undefined) return true;
    return false;
  }

  /** Samples of one series of one node; undefined without any. */
  column(node: string, series: SeriesId): Column | undefined {
    const column = this.#columns.get(keyOf(node, series))?.column;
    return column && column.length > 0 ? column : undefined;
  }

  latest(node: string, series: SeriesId): LatestSample | undefined {
    const column = this.column(node, series);
    return column && { timeMs: column.timeAt(column.length - 1), value: column.valueAt(column.length - 1) };
  }

  /** Memory of the samples; typed arrays are not heap, so add it to measurements of the window. */
  get bytes(): number {
    let bytes = this.#details.bytes;
    for (const { column } of this.#columns.values()) bytes += column.timesMs.byteLength + column.values.byteLength;
    return bytes;
  }

  /** Clears everything, for another run. */
  clear(): void {
    this.#columns.clear();
    this.measuredVersion += 1;
    this.#details.clear();
    this.firstTimeMs = undefined;
    this.lastTimeMs = undefined;
    this.#changed();
  }

  /** Calls the listener after every batch. Returns the unsubscribe function. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #changed(): void {
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }

  #make(node: string, series: SeriesId): Column {
    const key = keyOf(node, series);
    const known = this.#columns.get(key);
    if (known) return known.column;
    const capacity = this.#capacity ?? (series.startsWith('cpuCorePercent:') ? 3600 : 14_400);
    const column = new Column(capacity, this.stepMs);
    this.#columns.set(key, { node, series, column });
    return column;
  }
}

// A node's name has no space, so the key is unambiguous.
const keyOf = (node: string, series: SeriesId): string => `${node} ${series}`;
