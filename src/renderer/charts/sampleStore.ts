import type { SampleBatch, SeriesId } from '../../domain/series';
import { Column } from './column';

export interface LatestSample {
  readonly timeMs: number;
  readonly value: number;
}

export interface SampleStoreOptions {
  /** Which series are worth keeping in the window; all but those of single cores when absent. */
  readonly wants?: (series: SeriesId) => boolean;
  /** Most samples per node and series: 24 hours at 1 Hz when absent. Older ones are let go here, the run file keeps them. */
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
  firstTimeMs: number | undefined;
  lastTimeMs: number | undefined;
  readonly #columns = new Map<string, Column>();
  readonly #listeners = new Set<() => void>();
  readonly #wants: (series: SeriesId) => boolean;
  readonly #capacity: number;
  readonly stepMs: number;

  constructor({ wants, capacity, stepMs = 1000 }: SampleStoreOptions = {}) {
    this.#wants = wants ?? ((series) => !series.startsWith('cpuCorePercent:'));
    this.#capacity = capacity ?? 86_400;
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
      columns[batch.key[row] ?? -1]?.add(timeMs, value);
      if (this.firstTimeMs === undefined || timeMs < this.firstTimeMs) this.firstTimeMs = timeMs;
      if (this.lastTimeMs === undefined || timeMs > this.lastTimeMs) this.lastTimeMs = timeMs;
    }
    for (const column of columns) column?.settle();
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Samples of one series of one node; undefined while there are none. */
  column(node: string, series: SeriesId): Column | undefined {
    const column = this.#columns.get(keyOf(node, series));
    return column && column.length > 0 ? column : undefined;
  }

  latest(node: string, series: SeriesId): LatestSample | undefined {
    const column = this.column(node, series);
    return column && { timeMs: column.timeAt(column.length - 1), value: column.valueAt(column.length - 1) };
  }

  /** Memory that the samples take; typed arrays do not count as heap, so whoever measures the window must add it. */
  get bytes(): number {
    let bytes = 0;
    for (const { timesMs, values } of this.#columns.values()) bytes += timesMs.byteLength + values.byteLength;
    return bytes;
  }

  /** Forgets everything, for another run. */
  clear(): void {
    this.#columns.clear();
    this.firstTimeMs = undefined;
    this.lastTimeMs = undefined;
    this.version += 1;
    for (const listener of this.#listeners) listener();
  }

  /** Calls the listener after every batch. Returns the function that ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #make(node: string, series: SeriesId): Column {
    const key = keyOf(node, series);
    const known = this.#columns.get(key);
    if (known) return known;
    const column = new Column(this.#capacity, this.stepMs);
    this.#columns.set(key, column);
    return column;
  }
}

// A node's name has no space, so the key is unambiguous.
const keyOf = (node: string, series: SeriesId): string => `${node} ${series}`;
