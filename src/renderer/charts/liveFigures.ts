import { figuresOf, type SeriesSummary } from '../../domain/charts/seriesTable';
import type { SampleStore } from './sampleStore';

/** Script time for figures per frame: percentiles sort every sample of a series. */
const frameBudgetMs = 4;

/** Figures of every series in the window's store, computed a few milliseconds at a time. */
export class LiveFigures {
  readonly #known = new Map<string, SeriesSummary>();
  #queue: readonly (readonly [node: string, series: SeriesSummary['series']])[] = [];
  #at = 0;

  constructor(private readonly store: SampleStore) {}

  /** Every sample of the run is present, so results equal the engine's. */
  get isComplete(): boolean {
    return this.store.sparseBeforeMs === -Infinity && !this.store.hasDropped;
  }

  get all(): readonly SeriesSummary[] {
    return [...this.#known.values()];
  }

  /** Resumes; true once every series is as new as at the start of this round. */
  step(nowMs: () => number = () => performance.now()): boolean {
    const untilMs = nowMs() + frameBudgetMs;
    if (this.#at >= this.#queue.length) {
      this.#queue = this.store.measured().map(({ node, series }) => [node, series] as const);
      this.#at = 0;
    }
    for (; this.#at < this.#queue.length; this.#at += 1) {
      if (nowMs() > untilMs) return false;
      const [node, series] = this.#queue[this.#at] ?? [];
      if (node !== undefined && series !== undefined) this.#read(node, series);
    }
    return true;
  }

  #read(node: string, series: SeriesSummary['series']): void {
    const column = this.store.column(node, series);
    if (!column) return;
    const key = `${node} ${series}`;
    const lastMs = column.timeAt(column.length - 1);
    const known = this.#known.get(key);
    if (known?.lastMs === lastMs && known.count === column.length) return;
    const values = column.values.subarray(0, column.length);
    const figures = figuresOf(values);
    if (!figures) return;
    const maxMs = column.timeAt(values.indexOf(figures.max));
    this.#known.set(key, { node, series, firstMs: column.timeAt(0), lastMs, maxMs, ...figures });
  }
}
