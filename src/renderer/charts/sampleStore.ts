import type { SampleBatch, SeriesId } from '../../domain/series';
import type { MeasuredSeries } from '../../domain/layout/autoCharts';
import { everyTester } from '../../domain/summed';
import type { OverviewBatch } from '../../contract/schemas';
import { Column } from './column';
import { Details, seriesOf, type Detail } from './details';

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
  /** Which series are worth keeping in the window; all when absent. */
  readonly wants?: (series: SeriesId) => boolean;
  /**
   * Most samples per node and series: 4 hours at 1 Hz when absent, an hour for a single core, of which a machine may have
   * hundreds. Older ones are let go here, the run file keeps them.
   */
  readonly capacity?: number;
  /** Time between two samples of a series: a second when absent. A silence of some of them is a gap. */
  readonly stepMs?: number;
}

/**
 * What the window knows of a run's samples. Batches may overlap and come in any order: the history of a run and its live
 * samples are the same call. Nothing in here is reactive; the charts read it on their own clock.
 */
export class SampleStore {
  /** Counts the batches that brought something. */
  version = 0;
  /** Counts what is new in `measured`: a series that was not there, or its first value above 0. */
  measuredVersion = 0;
  firstTimeMs: number | undefined;
  lastTimeMs: number | undefined;
  readonly #columns = new Map<string, KeyedColumn>();
  readonly #details = new Details();
  readonly #listeners = new Set<() => void>();
  readonly #wants: (series: SeriesId) => boolean;
  readonly #capacity: number | undefined;
  readonly stepMs: number;

  constructor({ wants, capacity, stepMs = 1000 }: SampleStoreOptions = {}) {
    this.#wants = wants ?? (() => true);
    this.#capacity = capacity;
    this.stepMs = stepMs;
  }

  /** Adds the samples of a batch. A time that a series already has is ignored. */
  append(batch: SampleBatch): void {
    const columns = batch.keys.map(({ node, series }) =>
      this.#wants(series) ? this.#make(node, series) : undefined,
    );
    for (let row = 0; row < batch.key.length; row += 1) {
      const timeMs = batch.timeMs[row];
      const value = batch.value[row];
      if (timeMs === undefined || value === undefined) continue;
      const column = columns[batch.key[row] ?? -1];
      if (column && (column.length === 0 || (value > 0 && column.highest <= 0))) this.measuredVersion += 1;
      column?.add(timeMs, value);
      if (this.firstTimeMs === undefined || timeMs < this.firstTimeMs) this.firstTimeMs = timeMs;
      if (this.lastTimeMs === undefined || timeMs > this.lastTimeMs) this.lastTimeMs = timeMs;
    }
    for (const column of columns) column?.settle();
    this.#changed();
  }

  /**
   * Puts an overview in the place of everything before `untilMs`; its parts may follow each other. Infinity: of a run that has ended.
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

  /** Every series of every node that there are samples of, with its highest value. */
  measured(): readonly MeasuredSeries[] {
    return [...this.#columns.values()]
      .filter(({ column, node }) => column.length > 0 && node !== everyTester)
      .map(({ node, series, column }) => ({ node, series, max: column.highest }));
  }

  /** Keeps a stretch in more detail than the rest, and lets go of details that were used long ago. */
  addDetail(detail: Detail): void {
    this.#details.add(detail);
    this.#changed();
  }

  /** The finest that there is of a whole stretch: a detail that covers it, else what is known of the whole run. */
  columnFor(node: string, series: SeriesId, fromMs: number, toMs: number): Column | undefined {
    return this.#details.column(node, series, fromMs, toMs) ?? this.column(node, series);
  }

  /** Length of the steps that a stretch of some series is known in; 0: every sample is here. */
  coarseMs(series: readonly SeriesId[], fromMs: number, toMs: number): number {
    const detail = this.#details.find(series, fromMs, toMs);
    if (detail) return detail.stepMs;
    let coarse = 0;
    for (const { column } of this.#columns.values())
      if (column.sparseBeforeMs > fromMs) coarse = Math.max(coarse, column.coarseMs);
    return coarse;
  }

  /** From when on every sample is here; Infinity when none is for certain. */
  get sparseBeforeMs(): number {
    let beforeMs = -Infinity;
    for (const { column } of this.#columns.values()) beforeMs = Math.max(beforeMs, column.sparseBeforeMs);
    return beforeMs;
  }

  /** Older samples of some series were let go. */
  get hasDropped(): boolean {
    for (const { column } of this.#columns.values()) if (column.droppedBeforeMs !== undefined) return true;
    return false;
  }

  /** Samples of one series of one node; undefined while there are none. */
  column(node: string, series: SeriesId): Column | undefined {
    const column = this.#columns.get(keyOf(node, series))?.column;
    return column && column.length > 0 ? column : undefined;
  }

  latest(node: string, series: SeriesId): LatestSample | undefined {
    const column = this.column(node, series);
    return column && { timeMs: column.timeAt(column.length - 1), value: column.valueAt(column.length - 1) };
  }

  /** Memory that the samples take; typed arrays do not count as heap, so whoever measures the window must add it. */
  get bytes(): number {
    let bytes = this.#details.bytes;
    for (const { column } of this.#columns.values())
      bytes += column.timesMs.byteLength + column.values.byteLength;
    return bytes;
  }

  /** Forgets everything, for another run. */
  clear(): void {
    this.#columns.clear();
    this.measuredVersion += 1;
    this.#details.clear();
    this.firstTimeMs = undefined;
    this.lastTimeMs = undefined;
    this.#changed();
  }

  /** Calls the listener after every batch. Returns the function that ends it. */
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
